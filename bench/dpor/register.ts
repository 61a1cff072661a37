import { check } from 'culprit';
import { oneAndTwo } from '../one-and-two.ts';
import type { Measured } from '../row.ts';
import register from './register.system.ts';

const ROUNDS = 3;
const CLIENTS = 5;

/** Long enough for a worker to load the system and for its code to be optimized. */
const SHARED = { clients: 6, executions: 400_000 };

const named = (clients: number) => ({ case: `${clients} clients read and then write a register` });

/** All (2K)! / 2^K orders in which K clients can read and then write a register. */
export async function* orders(): AsyncGenerator<Measured> {
  for (const clients of [2, 3, 4, CLIENTS]) {
    const { executions, seconds, verdict, redundant } = await check(register, { set: { clients } });
    if (verdict !== 'holds' || redundant > 0) throw new Error(`${verdict}, ${redundant} executions begun in vain`);
    const one = named(clients);
    yield { ...one, metric: 'all executions', value: executions, unit: 'executions' };
    yield { ...one, metric: 'time', value: seconds, unit: 's', ...(clients === CLIENTS ? { target: '<= 6' } : {}) };
    yield { ...one, metric: 'speed', value: executions / seconds, unit: 'executions/s' };
  }
}

/** The first part of a larger space. */
export function workers(): Promise<Measured[]> {
  const { clients, executions } = SHARED;
  return oneAndTwo(named(clients).case, '>= 1.6', ROUNDS, async (count) => {
    const report = await check(register, { set: { clients }, executions, workers: count });
    if (report.executions !== executions) throw new Error(`${report.executions} executions`);
  });
}

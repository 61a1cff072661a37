import { check } from 'culprit';
import type { Measured } from '../row.ts';
import { median, ratio } from '../timing.ts';
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

/** The first part of a larger space, by one worker and by two, in turns. The time to start a worker counts. */
export async function workers(): Promise<Measured[]> {
  const one: number[] = [];
  const two: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    one.push(await secondsBy(1));
    two.push(await secondsBy(2));
  }
  return [
    { ...named(SHARED.clients), metric: 'one worker', value: median(one), unit: 's' },
    { ...named(SHARED.clients), metric: 'two workers', value: median(two), unit: 's' },
    { ...named(SHARED.clients), metric: 'two against one', value: ratio(one, two), unit: 'x', target: '>= 1.5' },
  ];
}

async function secondsBy(count: number): Promise<number> {
  const { clients, executions } = SHARED;
  const report = await check(register, { set: { clients }, executions, workers: count });
  if (report.executions !== executions) throw new Error(`${report.executions} executions`);
  return report.seconds;
}

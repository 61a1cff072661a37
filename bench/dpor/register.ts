import { check, type CheckReport } from 'culprit';
import type { Measured } from '../row.ts';
import { median, ratio } from '../timing.ts';
import register from './register.system.ts';

const ROUNDS = 3;
const CLIENTS = 5;

const named = (clients: number) => ({ case: `${clients} clients read and then write a register` });

/** All (2K)! / 2^K orders in which K clients can read and then write a register. */
export async function* orders(): AsyncGenerator<Measured> {
  for (const clients of [2, 3, 4, CLIENTS]) {
    const { executions, seconds } = await explored(clients, 1);
    const one = named(clients);
    yield { ...one, metric: 'all executions', value: executions, unit: 'executions' };
    yield { ...one, metric: 'time', value: seconds, unit: 's', ...(clients === CLIENTS ? { target: '<= 6' } : {}) };
    yield { ...one, metric: 'speed', value: executions / seconds, unit: 'executions/s' };
  }
}

/** The same by one worker and by two, in turns. What it takes to start a worker counts. */
export async function workers(): Promise<Measured[]> {
  const one: number[] = [];
  const two: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    one.push((await explored(CLIENTS, 1)).seconds);
    two.push((await explored(CLIENTS, 2)).seconds);
  }
  return [
    { ...named(CLIENTS), metric: 'one worker', value: median(one), unit: 's' },
    { ...named(CLIENTS), metric: 'two workers', value: median(two), unit: 's' },
    { ...named(CLIENTS), metric: 'two against one', value: ratio(one, two), unit: 'x', target: '>= 1.5' },
  ];
}

async function explored(clients: number, count: number): Promise<CheckReport> {
  const report = await check(register, { set: { clients }, workers: count });
  const { verdict, redundant } = report;
  if (verdict !== 'holds' || redundant > 0) throw new Error(`${verdict}, ${redundant} executions begun in vain`);
  return report;
}

import { loadavg } from 'node:os';
import { minimize, search } from 'culprit';
import type { Minimized } from 'culprit/kernel';
import type { Trace } from 'culprit/trace';
import type { Measured } from '../row.ts';
import waiting from './waiting.system.ts';

const JOBS = [1, 2, 4, 8];
const EXECUTIONS = 16;

/** At least so much faster with eight jobs than with one. */
const FASTER = 4;

const jobsText = (count: number): string => `${count} job${count === 1 ? '' : 's'}`;

const loadRow = (name: string): Measured => ({ case: name, metric: 'load', value: loadavg()[0] as number, unit: '' });

/** Hunts, then minimizes one execution of a system that waits for real time, with several executions at a time. */
export async function* jobs(): AsyncGenerator<Measured> {
  yield* hunts();
  const { findings } = await search(waiting, { executions: 5 });
  const trace = findings[0]?.trace;
  if (trace === undefined) throw new Error('the bench system does not fail');
  const seconds = new Map<number, number>();
  for (const count of [1, 8]) {
    const minimized = await minimize(waiting, trace, { jobs: count });
    if (inputsOf(minimized.trace) !== 'arm 1, arm 2, fire') throw new Error(`left: ${inputsOf(minimized.trace)}`);
    seconds.set(count, minimized.seconds);
    yield* rowsOf(`minimize, ${jobsText(count)}`, minimized);
  }
  const value = (seconds.get(1) as number) / (seconds.get(8) as number);
  yield { case: 'minimize, 8 jobs against 1', metric: 'faster', value, unit: 'times', target: `>= ${FASTER}` };
}

/** Executions of the correct system, which end when it is quiet. Threads are started meanwhile. */
async function* hunts(): AsyncGenerator<Measured> {
  for (const count of JOBS) {
    const beganMs = performance.now();
    const options = { set: { isBroken: false }, executions: EXECUTIONS, control: false };
    const { executions } = await search(waiting, { ...options, jobs: count });
    const minutes = (performance.now() - beganMs) / 60_000;
    const name = `hunt, ${jobsText(count)}`;
    yield { case: name, metric: 'executions a minute', value: executions / minutes, unit: '' };
    yield loadRow(name);
  }
}

const inputsOf = ({ events }: Trace): string =>
  events.flatMap((line) => (line.kind === 'send' ? [(line.message as { type: string }).type] : [])).join(', ');

function* rowsOf(name: string, { seconds, schedules, wasted = 0 }: Minimized): Generator<Measured> {
  yield { case: name, metric: 'time', value: seconds, unit: 's' };
  yield { case: name, metric: 'executions that counted', value: schedules, unit: '' };
  yield { case: name, metric: 'executions wasted', value: wasted, unit: '' };
  yield { case: name, metric: 'executions a minute', value: (schedules / seconds) * 60, unit: '' };
  yield loadRow(name);
}

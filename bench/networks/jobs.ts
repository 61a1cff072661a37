import { loadavg } from 'node:os';
import { minimize } from 'culprit';
import type { Trace } from 'culprit/trace';
import type { Measured } from '../row.ts';
import manyInputs from './many-inputs.system.ts';
import { failing } from './migration.ts';

/** Minimizes an execution with many independent inputs, with one execution at a time and with eight. */
export async function* jobs(): AsyncGenerator<Measured> {
  const trace = await failing(manyInputs);
  yield { case: 'recorded', metric: 'inputs', value: inputsOf(trace), unit: '' };
  const seconds: number[] = [];
  for (const count of [1, 8]) {
    const minimized = await minimize(manyInputs, trace, { jobs: count });
    const name = `${count} job${count === 1 ? '' : 's'}`;
    seconds.push(minimized.seconds);
    yield { case: name, metric: 'time', value: minimized.seconds, unit: 's' };
    yield { case: name, metric: 'executions that counted', value: minimized.schedules, unit: '' };
    yield { case: name, metric: 'executions wasted', value: minimized.wasted ?? 0, unit: '' };
    yield { case: name, metric: 'inputs left', value: inputsOf(minimized.trace), unit: '' };
    yield { case: name, metric: 'load', value: loadavg()[0] as number, unit: '' };
  }
  const [one = 0, eight = 1] = seconds;
  yield { case: '8 jobs against 1', metric: 'faster', value: one / eight, unit: 'times', target: '>= 4' };
}

const inputsOf = ({ events }: Trace): number => events.filter(({ kind }) => kind === 'act').length;

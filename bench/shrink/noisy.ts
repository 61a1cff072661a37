import { minimize, search } from 'culprit';
import type { Trace } from 'culprit/trace';
import { noisyLostUpdate } from '../lost-update.ts';
import type { Measured } from '../row.ts';
import { byCommands, byScheduler, type Shrunk } from './fast-check.ts';

const NOISE = 200;
const SEED = 1;

/** A lost update among 200 irrelevant calls: the number of calls left, and the time for finding and shrinking. */
export async function noisy(): Promise<Measured[]> {
  return [
    ...measured('culprit', await timed(byCulprit), '<= 4'),
    ...measured('fast-check, fc.scheduler', await timed(() => byScheduler(NOISE, SEED))),
    ...measured('fast-check, fc.commands and fc.scheduler', await timed(() => byCommands(NOISE, SEED))),
  ];
}

/** Counts deliveries to the register as calls: its answers and the starts of processes are no steps in fast-check. */
async function byCulprit(): Promise<Shrunk> {
  const system = noisyLostUpdate(NOISE);
  const { findings } = await search(system, { seed: SEED, strategy: 'random' });
  const trace = findings[0]?.trace;
  if (trace === undefined) throw new Error('bench: nothing was found');
  const { trace: smallest } = await minimize(system, trace);
  return { before: callsIn(trace), after: callsIn(smallest) };
}

const callsIn = ({ events }: Trace): number =>
  events.filter(({ kind, process }) => kind === 'deliver' && process === 'register').length;

async function timed(work: () => Promise<Shrunk>): Promise<Shrunk & { readonly ms: number }> {
  const before = performance.now();
  return { ...(await work()), ms: performance.now() - before };
}

function measured(who: string, { before, after, ms }: Shrunk & { readonly ms: number }, target?: string): Measured[] {
  const name = `lost update, ${NOISE} calls of noise: ${who}`;
  return [
    { case: name, metric: 'found', value: before, unit: 'calls' },
    { case: name, metric: 'left', value: after, unit: 'calls', ...(target === undefined ? {} : { target }) },
    { case: name, metric: 'found and shrunk', value: ms, unit: 'ms' },
  ];
}

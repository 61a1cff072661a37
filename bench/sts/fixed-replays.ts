import { recheck, type System } from 'culprit';
import { minimizeInputs } from 'culprit/kernel';
import type { Trace } from 'culprit/trace';
import { inputsOf } from '../../cases/networks/gates.ts';
import { partAt } from '../trace-part.ts';

/** What delta debugging leaves, and how many replays it took. */
export interface LeftInputs {
  readonly inputs: number;
  readonly replays: number;
}

/** The way of the thesis: delta debugging of 1999, in which a candidate is replayed at most so often, until it fails. */
export async function withFixedReplays(system: System, trace: Trace, replaysMax: number): Promise<LeftInputs> {
  const places = inputsOf(trace).map(({ event }) => event - 1);
  const replayed = async (kept: readonly number[]) => {
    // The recording itself shows that all of them together fail.
    if (kept.length === places.length) return 'violated' as const;
    const part = partAt(trace, (at) => kept.includes(at) || !places.includes(at));
    const answer = await recheck(system, part, { replays: 1 });
    return 'reproduced' in answer && answer.reproduced > 0 ? ('violated' as const) : ('holds' as const);
  };
  const options = { passes: ['externals-ddmin1999'], replays: replaysMax } as const;
  const { inputs, replays } = await minimizeInputs(places, replayed, options);
  return { inputs: inputs.length, replays };
}

import { tell } from '../explain/story.ts';
import { isReached } from '../coverage/coverage-sample.ts';
import type { EventLine } from '../trace/format.ts';
import { BadCommand } from './bad-command.ts';
import { matching } from './matching.ts';
import { namesIn } from './names.ts';
import type { Track, Typed } from './track.ts';
import { wordsOf } from './words.ts';

/** The arguments of `run`. */
export interface RunOrder {
  readonly stepsMax: number;
  readonly seed: number | undefined;
  readonly hasFaults: boolean;
  readonly until: string | undefined;
}

const NEXT = 'Such as: run 20, run until violated, run 50 seed 7 faults until leader.';

/** Parses `20 seed 7 faults until leader`; every part is optional. */
export function runOrder(rest: string): RunOrder {
  // Other arguments may stand before or after it.
  const [, before = '', until, behind = ''] =
    /^(.*?)(?:\buntil\b\s*(.*?)((?:\s+(?:seed\s+\d+|faults))*))?$/s.exec(rest) ?? [];
  if (until === '') throw new BadCommand('run until what?', NEXT);
  const words = wordsOf(`${before} ${behind}`);
  let order: RunOrder = { stepsMax: Number.POSITIVE_INFINITY, seed: undefined, hasFaults: false, until };
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (word === 'faults') order = { ...order, hasFaults: true };
    else if (word === 'seed') order = { ...order, seed: numberIn(words.shift() ?? '', rest) };
    else order = { ...order, stepsMax: numberIn(word, rest) };
  }
  return order;
}

function numberIn(word: string, rest: string): number {
  if (/^\d+$/.test(word)) return Number(word);
  throw new BadCommand(`run ${rest}: ${JSON.stringify(word)} is not a whole number.`, NEXT);
}

/** The command, and the command for the first part of its steps. */
export const typedRun = (rest: string, { seed, hasFaults }: RunOrder): Typed => ({
  text: `run ${rest}`.trim(),
  part: (steps) => `run ${steps}${seed === undefined ? '' : ` seed ${seed}`}${hasFaults ? ' faults' : ''}`,
});

/**
 * Whether a run has reached its goal: an event of a process, a `sometimes` of the system, or an event whose description
 * has all of these words. A verdict ends any run.
 */
export function arrival(
  until: string | undefined,
  track: Track,
): ((lines: readonly EventLine[]) => boolean) | undefined {
  if (until === undefined || until === 'violated') return undefined;
  if (namesIn(track).includes(until)) return (lines) => lines.some(({ process }) => process === until);
  const mark = track.origin.system.sometimes.get(until);
  if (mark === undefined) return (lines) => matching(until, lines.map(tell)).length > 0;
  const isThere = (): boolean => isReached(until, mark, track.session.world);
  if (isThere()) throw new BadCommand(`${until} has happened already.`, 'Continue with: run 20');
  return isThere;
}

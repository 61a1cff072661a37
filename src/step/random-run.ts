import { sentenceOf } from '../explain/story.ts';
import { isReached } from '../coverage/coverage-sample.ts';
import type { EventLine } from '../trace/format.ts';
import { BadCommand } from './bad-command.ts';
import { matching } from './matching.ts';
import { namesIn } from './names.ts';
import type { Track, Typed, Move } from './track.ts';
import { lastInWords } from './worded.ts';
import { wordsOf } from './words.ts';
import { chooseNext } from '../schedule/choosers/chooser.ts';
import { RandomChooser } from '../schedule/choosers/random.ts';
import { randomFault } from '../schedule/workload-driver.ts';
import { Random } from '../kernel/data/random.ts';
import { paced } from './paced.ts';
import { inOrder, nextOfWorkload } from './choices.ts';
import type { Run } from './running.ts';

/** The arguments of `run`. */
export interface RunArguments {
  readonly stepsMax: number;
  readonly seed: number | undefined;
  readonly hasFaults: boolean;
  readonly until: string | undefined;
}

const NEXT = 'Such as: run 20, run until violated, run 50 seed 7 faults until leader.';

/** Parses `20 seed 7 faults until leader`; every part is optional. */
export function parseRun(rest: string): RunArguments {
  // Other arguments may stand before or after it.
  const [, before = '', until, behind = ''] =
    /^(.*?)(?:\buntil\b\s*(.*?)((?:\s+(?:seed\s+\d+|faults))*))?$/s.exec(rest) ?? [];
  if (until === '') throw new BadCommand('run until what?', NEXT);
  const words = wordsOf(`${before} ${behind}`);
  let order: RunArguments = { stepsMax: Number.POSITIVE_INFINITY, seed: undefined, hasFaults: false, until };
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
const typedRun = (rest: string, { seed, hasFaults }: RunArguments): Typed => ({
  text: `run ${rest}`.trim(),
  part: (steps) => `run ${steps}${seed === undefined ? '' : ` seed ${seed}`}${hasFaults ? ' faults' : ''}`,
});

/**
 * Whether a run has reached its goal: an event of a process, a `sometimes` of the system, or an event whose description
 * has all of these words. A verdict ends any run.
 */
function goalOf(until: string | undefined, track: Track): ((lines: readonly EventLine[]) => boolean) | undefined {
  if (until === undefined || until === 'violated') return undefined;
  if (namesIn(track).includes(until)) return (lines) => lines.some(({ process }) => process === until);
  const mark = track.origin.system.sometimes.get(until);
  if (mark === undefined)
    return (lines) => matching(until, lastInWords(lines, lines.length, track.origin).map(sentenceOf)).length > 0;
  const isAtGoal = (): boolean => isReached(until, mark, track.session.world);
  if (isAtGoal()) throw new BadCommand(`${until} has happened already.`, 'Continue with: run 20');
  return isAtGoal;
}

/**
 * Chooses like a random hunt, with the weights of the system, among enabled events and the workload. It is seeded by
 * the seed and the number of events, so that a longer run begins like a shorter one.
 */
function randomMoves(track: Track, seed: number, hasFaults: boolean): (isHeldBack: boolean) => Move | undefined {
  const random = Random.seeded(seed, 0x7374_6570 + track.session.world.length);
  const chooser = new RandomChooser(random, track.origin.system.weights);
  return (isHeldBack) => {
    const { session } = track;
    const fault = hasFaults && !isHeldBack ? randomFault(random, session) : undefined;
    if (fault !== undefined) return { event: fault };
    const own = isHeldBack ? undefined : nextOfWorkload(track);
    const chosen = chooseNext(chooser, inOrder(session.enabled), own?.event, session.world.length);
    if (chosen === undefined) return undefined;
    return chosen === own?.event ? own : { event: chosen };
  };
}

/** A random run. With a given number of steps it makes all of them, otherwise it stops at the limit on events. */
export function randomRun(order: RunArguments, rest: string, track: Track, signal: AbortSignal | undefined): Run {
  const { seed, eventsMax } = track.origin;
  const { stepsMax, hasFaults, until } = order;
  const isAtGoal = goalOf(until, track);
  return {
    next: paced(track, randomMoves(track, order.seed ?? seed, hasFaults)),
    typed: typedRun(rest, order),
    stepsMax,
    eventsMax: Number.isFinite(stepsMax) ? Number.POSITIVE_INFINITY : eventsMax,
    ...(isAtGoal === undefined ? {} : { isReached: isAtGoal }),
    signal,
  };
}

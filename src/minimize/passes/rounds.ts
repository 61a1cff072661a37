import type { Likeness } from '../../schedule/replay/match.ts';
import { candidateWithout, type Answer, type Asking, type CandidateSchedule, type Failing } from '../pass.ts';
import type { Group } from './groups.ts';

/**
 * A round of delta debugging: each of these groups of events is left out alone. Those without which the
 * execution still fails are then left out together. The candidates of a round are fixed before its first answer, so that they can be executed
 * side by side, and the same answers lead to the same result with any number of threads.
 *
 * Quickly, the first answers only say which groups are worth trying together. Thoroughly, they say that no other group can be dropped.
 */
export function* dropInRound(
  failing: Failing,
  groups: readonly Group[],
  likeness: Likeness,
  how: 'quickly' | 'thoroughly',
): Asking<Failing> {
  const isQuick = how === 'quickly';
  const withoutSome = (some: readonly Group[]): CandidateSchedule =>
    candidateWithout(failing, new Set(some.flat()), likeness);
  const answers = yield* askAll(groups.map((group) => ({ ...withoutSome([group]), isQuick })));
  const droppable = groups.filter((_, at) => answers[at]?.failing !== undefined);
  const alone = answers.find((answer) => answer.failing !== undefined)?.failing ?? failing;
  return isQuick
    ? ((yield* mostOf(droppable, withoutSome)) ?? failing)
    : ((yield* longestPrefix(droppable, withoutSome, 1)) ?? alone);
}

/** Asks about all of them, in this order. */
function* askAll(candidates: readonly CandidateSchedule[]): Asking<readonly Answer[]> {
  const answers: Answer[] = [];
  for (const [at, candidate] of candidates.entries())
    answers.push(yield { ...candidate, upcoming: { candidates: candidates.slice(at + 1), areCertain: true } });
  return answers;
}

type Without = (some: readonly Group[]) => CandidateSchedule;

/** The execution without all of these groups; otherwise without as many as quick answers suggest. */
function* mostOf(groups: readonly Group[], withoutSome: Without): Asking<Failing | undefined> {
  if (groups.length === 0) return undefined;
  const { failing }: Answer = yield withoutSome(groups);
  if (failing !== undefined || groups.length === 1) return failing;
  return yield* longestPrefix(yield* halfByHalf(groups, withoutSome, []), withoutSome, 0);
}

/**
 * As many of these groups as can be left out together with those that were chosen before, asked quickly: all of them; otherwise, as many as
 * possible of the first half, and then of the second. Often each of two messages can be left out, but not both, as where a majority has to answer.
 */
function* together(groups: readonly Group[], withoutSome: Without, chosen: readonly Group[]): Asking<readonly Group[]> {
  const all = [...chosen, ...groups];
  // One group alone was asked about before.
  if (all.length === 1) return all;
  const quickly = (some: readonly Group[]): CandidateSchedule => ({
    ...withoutSome([...chosen, ...some]),
    isQuick: true,
  });
  const upcoming = { candidates: halvesOf(groups).map(quickly), areCertain: false };
  const { failing }: Answer = yield { ...quickly(groups), upcoming };
  if (failing !== undefined) return all;
  return groups.length === 1 ? chosen : yield* halfByHalf(groups, withoutSome, chosen);
}

function* halfByHalf(
  groups: readonly Group[],
  withoutSome: Without,
  chosen: readonly Group[],
): Asking<readonly Group[]> {
  const half = groups.length >> 1;
  const first: readonly Group[] = yield* together(groups.slice(0, half), withoutSome, chosen);
  return yield* together(groups.slice(half), withoutSome, first);
}

/** The first half of a list, the first half of that, and so on. */
const halvesOf = (groups: readonly Group[]): readonly (readonly Group[])[] => {
  const half = groups.slice(0, groups.length >> 1);
  return half.length === 0 ? [] : [half, ...halvesOf(half)];
};

/**
 * Looks for the longest beginning of the list without which the execution still fails: all of it first, then by bisection. It is longer than
 * what is known to be droppable. Where a beginning fails whenever a longer one does, it is the longest.
 */
function* longestPrefix(groups: readonly Group[], withoutSome: Without, known: number): Asking<Failing | undefined> {
  let longest: Failing | undefined;
  let [dropped, tooMany] = [known, groups.length + 1];
  for (let count = groups.length; count > dropped && count < tooMany; count = (dropped + tooMany) >> 1) {
    const { failing }: Answer = yield withoutSome(groups.slice(0, count));
    if (failing === undefined) tooMany = count;
    else [longest, dropped] = [failing, count];
  }
  return longest;
}

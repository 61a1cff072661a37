import type { Likeness } from '../../schedule/replay/match.ts';
import { candidateWithout, type Answer, type Asking, type CandidateSchedule, type Failing } from '../pass.ts';
import type { Group } from './groups.ts';

/**
 * A round of delta debugging: each of these groups of events is left out alone. Those without which the
 * execution still fails are then left out together: the first of them, in the order given, and as many of the next as still fail. The
 * candidates of a round are fixed before its first answer, so that they can be executed side by side, and the same answers lead to the
 * same result with any number of threads.
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
  const alone = answers.find((answer) => answer.failing !== undefined && answer.isTentative !== true)?.failing;
  return (yield* longestPrefix(droppable, withoutSome, alone === undefined ? 0 : 1)) ?? alone ?? failing;
}

/** Asks about all of them, in this order. */
function* askAll(candidates: readonly CandidateSchedule[]): Asking<readonly Answer[]> {
  const answers: Answer[] = [];
  for (const [at, candidate] of candidates.entries())
    answers.push(yield { ...candidate, upcoming: { candidates: candidates.slice(at + 1), areCertain: true } });
  return answers;
}

/**
 * Looks for the longest beginning of the list without which the execution still fails: all of it first, then by bisection. It is longer than
 * what is known to be droppable. Where a beginning fails whenever a longer one does, it is the longest.
 */
function* longestPrefix(
  groups: readonly Group[],
  withoutSome: (some: readonly Group[]) => CandidateSchedule,
  known: number,
): Asking<Failing | undefined> {
  let longest: Failing | undefined;
  let [dropped, tooMany] = [known, groups.length + 1];
  for (let count = groups.length; count > dropped && count < tooMany; count = (dropped + tooMany) >> 1) {
    const { failing }: Answer = yield withoutSome(groups.slice(0, count));
    if (failing === undefined) tooMany = count;
    else [longest, dropped] = [failing, count];
  }
  return longest;
}

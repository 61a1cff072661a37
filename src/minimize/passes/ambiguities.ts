import { internalsByHalves } from './events.ts';
import { externals } from './externals.ts';
import type { Answer, Asking, Candidate, Pass } from '../pass.ts';
import type { Likeness } from '../../schedule/replay/match.ts';

/** How many alternatives of one candidate are tried before it counts as not failing. */
const BUDGET = 20;

/**
 * DEMi's type fingerprints with backtracks: drops externals, then internal events, both by delta debugging without
 * complements. Each candidate is matched by content first, which is STSSched; where that does not fail, by type, with
 * alternatives.
 */
export const tfb = (likeness: Likeness): Pass =>
  function* (failing) {
    const fewer = yield* withSchedules(externals(likeness, 'halving'), byContentFirst)(failing);
    return yield* withSchedules(internalsByHalves(likeness), byContentFirst)(fewer);
  };

/** The same pass; a candidate of it counts as not failing only when its alternatives do not fail either. */
export const withAlternatives = (pass: Pass): Pass =>
  withSchedules(pass, (candidate) => alternatives(candidate, BUDGET));

function* byContentFirst(candidate: Candidate): Asking<Answer> {
  const answer = yield { ...candidate, likeness: 'content', absent: 'skip' };
  return answer.failing === undefined ? yield* alternatives(candidate, BUDGET) : answer;
}

/** The same pass, where each candidate stands for several schedules. */
const withSchedules = (pass: Pass, schedulesOf: (candidate: Candidate) => Asking<Answer>): Pass =>
  function* (failing) {
    const asking = pass(failing);
    let step = asking.next();
    while (step.done !== true) step = asking.next(yield* schedulesOf(step.value));
    return step.value;
  };

/**
 * Where several events match one of the schedule, the first of them happens; where that does not fail, the others are tried.
 * The nearer the choices are to the first the sooner, and of those the earliest in the schedule. Each execution says what
 * could have been chosen after its own last choice, so that no two make the same choices, and all are made if the budget
 * lasts. There is no choice in the events that a candidate and the failing execution begin with.
 */
export function* alternatives(candidate: Candidate, budget: number): Asking<Answer> {
  const first = yield { ...candidate, choices: [] };
  if (first.failing !== undefined) return first;
  const frontier = new AmbiguityFrontier();
  frontier.add([], first.ambiguities);
  for (let left = budget; left > 0; left--) {
    const choices = frontier.take();
    if (choices === undefined) break;
    const answer = yield { ...candidate, choices };
    if (answer.failing !== undefined) return answer;
    frontier.add(choices, answer.ambiguities);
  }
  return first;
}

/** Choices of an execution, and one more that is not the first. */
interface AmbiguousChoice {
  readonly before: readonly number[];
  readonly at: number;
  readonly choice: number;
}

/** What is still to be tried, by how many steps it is away from the first in all. */
class AmbiguityFrontier {
  private readonly byDistance: AmbiguousChoice[][] = [];

  add(before: readonly number[], ambiguities: readonly number[]): void {
    const distance = before.reduce((sum, choice) => sum + choice, 0);
    for (let at = before.length; at < ambiguities.length; at++) {
      for (let choice = 1; choice < (ambiguities[at] as number); choice++)
        (this.byDistance[distance + choice] ??= []).push({ before, at, choice });
    }
  }

  take(): readonly number[] | undefined {
    const next = this.byDistance.find((deviations) => deviations !== undefined && deviations.length > 0)?.shift();
    if (next === undefined) return undefined;
    const { before, at, choice } = next;
    return [...before, ...Array<number>(at - before.length).fill(0), choice];
  }
}

import { internalsByHalves } from './events.ts';
import { externals } from './externals.ts';
import type { Answer, Asking, CandidateSchedule, Pass } from '../pass.ts';
import type { Likeness } from '../../schedule/replay/match.ts';

/** The maximum number of alternatives for one candidate. */
const BUDGET = 20;

/**
 * DEMi's type fingerprints with backtracks: drops externals, then internal events, both by delta debugging without
 * complements. Each candidate is matched by content first, which is STSSched; if that does not fail, by type, with
 * alternatives.
 */
export const tfb = (likeness: Likeness): Pass =>
  function* (failing) {
    const fewer = yield* withSchedules(externals(likeness, 'halving'), byContentFirst)(failing);
    return yield* withSchedules(internalsByHalves(likeness), byContentFirst)(fewer);
  };

/** The same pass; a candidate counts as not failing only if none of its alternatives fails. */
export const withAlternatives = (pass: Pass): Pass =>
  withSchedules(pass, (candidate) => alternatives(candidate, BUDGET));

function* byContentFirst(candidate: CandidateSchedule): Asking<Answer> {
  const answer = yield { ...candidate, likeness: 'content', absent: 'skip' };
  return answer.failing === undefined ? yield* alternatives(candidate, BUDGET) : answer;
}

/** The same pass, with several schedules for each candidate. */
const withSchedules = (pass: Pass, schedulesOf: (candidate: CandidateSchedule) => Asking<Answer>): Pass =>
  function* (failing) {
    const asking = pass(failing);
    let step = asking.next();
    while (step.done !== true) {
      // What follows depends on more than one answer.
      const { upcoming: _upcoming, ...candidate } = step.value;
      step = asking.next(yield* schedulesOf(candidate));
    }
    return step.value;
  };

/**
 * If several events match an event of the schedule, the first of them happens; if that does not fail, alternatives are
 * tried. Choices near the first match come sooner, and among equals those that are earlier in the schedule. Each
 * execution reports the choices after its own last one, so that no two executions make the same choices, and all are
 * made if the budget allows. The events that a candidate and the failing execution have in common at the start are
 * fixed.
 */
export function* alternatives(candidate: CandidateSchedule, budget: number): Asking<Answer> {
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

/** The choices of an execution, and one more that is not the first match. */
interface AmbiguousChoice {
  readonly before: readonly number[];
  readonly at: number;
  readonly choice: number;
}

/** The choices still to be tried, by their total distance from the first matches. */
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

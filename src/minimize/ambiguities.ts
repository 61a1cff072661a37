import { internalsSingly } from './events.ts';
import { externals } from './externals.ts';
import type { Answer, Asking, Candidate, Likeness, Pass } from './pass.ts';

/** How many alternatives of one candidate are tried before it counts as not failing. */
const BUDGET = 20;

/**
 * DEMi's type fingerprints with backtracks: drops what the environment did, then internal events one at a time, and takes
 * a candidate for not failing only when its alternatives do not fail either.
 */
export const tfb = (likeness: Likeness): Pass =>
  function* (failing) {
    const fewer = yield* withAlternatives(externals(likeness, 'halving'))(failing);
    return yield* withAlternatives(internalsSingly(likeness))(fewer);
  };

/** The same pass, with so many alternatives tried to each of its candidates. */
const withAlternatives = (pass: Pass, budget = BUDGET): Pass =>
  function* (failing) {
    const asking = pass(failing);
    let step = asking.next();
    while (step.done !== true) step = asking.next(yield* alternatives(step.value, budget));
    return step.value;
  };

/**
 * Where several events match one of the schedule, the closest happens; where that does not fail, the others are tried. The
 * nearer the choices are to the closest the sooner, the earliest first. Each execution says what could have been chosen
 * after its own last choice, so that no two make the same choices, and all are made if the budget lasts. What a candidate
 * and the failing execution begin with is no matter of choice: it is as it was.
 */
export function* alternatives(candidate: Candidate, budget: number): Asking<Answer> {
  const closest = yield { ...candidate, choices: [] };
  if (closest.failing !== undefined) return closest;
  const frontier = new Frontier();
  frontier.add([], closest.ambiguities);
  for (let left = budget; left > 0; left--) {
    const choices = frontier.take();
    if (choices === undefined) break;
    const answer = yield { ...candidate, choices };
    if (answer.failing !== undefined) return answer;
    frontier.add(choices, answer.ambiguities);
  }
  return closest;
}

/** Choices of an execution, and one more that is not the closest. */
interface Deviation {
  readonly before: readonly number[];
  readonly at: number;
  readonly choice: number;
}

/** What is still to be tried, by how many steps it is away from the closest in all. */
class Frontier {
  private readonly byDistance: Deviation[][] = [];

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

import { Bits } from '../search/bits.ts';
import type { Transition } from '../search/transitions.ts';
import type { NamedTransition } from '../search/wakeup-tree.ts';

/** A step of the execution under way. */
export interface ExecutedStep extends NamedTransition {
  readonly transition: Transition;
  /** Its number in the execution. */
  readonly at: number;
  /** Steps without which it could not have been: what made it, and what its thread did before. */
  readonly needed: readonly number[];
  /** The steps that happened before it: needed, or touching the same, or before such a one. */
  readonly before: Bits;
  /** Those among them with no other in between. */
  readonly direct: readonly number[];
  /** What came back to its sender because of it: keys. */
  readonly sentBack: readonly number[];
  /** What might have come out the other way round. Every execution tells more about how. */
  readonly races: readonly Race[];
}

/** An event that might have come before a step. */
export interface Race {
  /** The step; where it is not known which one is in the way, all that may be, the last first. */
  readonly steps: readonly number[];
  readonly key: number;
  /** The steps that the event itself cannot do without. */
  readonly past: Bits;
  /** Tells what else was there when it was last tried. */
  triedAmong?: number;
}

/** Which of the earlier steps happened before one that needs these, and depends on those. */
export function ordered(
  needed: readonly number[],
  steps: readonly ExecutedStep[],
  depends: (earlier: ExecutedStep) => boolean,
): Pick<ExecutedStep, 'before' | 'direct'> {
  const before = new Bits(steps.length);
  const direct: number[] = [];
  for (let at = steps.length - 1; at >= 0; at--) {
    if (before.has(at)) continue;
    const step = steps[at] as ExecutedStep;
    if (!needed.includes(at) && !depends(step)) continue;
    direct.push(at);
    before.add(at);
    before.addAll(step.before);
  }
  return { before, direct };
}

/** The steps after this one that did not have to come after it. */
export function* notAfter(at: number, steps: readonly ExecutedStep[]): Generator<ExecutedStep> {
  for (let later = at + 1; later < steps.length; later++) {
    const step = steps[later] as ExecutedStep;
    if (!step.before.has(at)) yield step;
  }
}

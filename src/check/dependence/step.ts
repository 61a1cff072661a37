import { Bits } from '../search/bits.ts';
import type { Transition } from '../search/transitions.ts';
import type { NamedTransition } from '../search/wakeup-tree.ts';

/** A step of the current execution. */
export interface ExecutedStep extends NamedTransition {
  readonly transition: Transition;
  /** The index of the step. */
  readonly at: number;
  /** The steps that it needs: its cause, and the previous step of its thread. */
  readonly needed: readonly number[];
  /** The steps that happened before it: needed, conflicting, or before such a step. */
  readonly before: Bits;
  /** The immediate predecessors among them. */
  readonly direct: readonly number[];
  /** The keys of messages that came back to their senders because of it. */
  readonly sentBack: readonly number[];
  /** The reversible races of the step. Every execution may add to them. */
  readonly races: readonly Race[];
}

/** An event that could have come before a step. */
export interface Race {
  /** The step; if it is unknown which step is in the way, all candidates, the last first. */
  readonly steps: readonly number[];
  readonly key: number;
  /** The steps that the event itself needs. */
  readonly past: Bits;
  /** A digest of the other events among which it was last tried. */
  triedAmong?: number;
}

/** The earlier steps that happened before a step that needs some of them and depends on others. */
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

/** The later steps that did not happen after this one. */
export function* notAfter(at: number, steps: readonly ExecutedStep[]): Generator<ExecutedStep> {
  for (let later = at + 1; later < steps.length; later++) {
    const step = steps[later] as ExecutedStep;
    if (!step.before.has(at)) yield step;
  }
}

import { ENVIRONMENT, isInternal, type External, type Internal } from '../../trace/event.ts';
import type { Transition, Place } from './transitions.ts';
import type { Footstep } from './execute-prefix.ts';

/** A transition that was made, and what others go by that come after it. */
export interface Happened extends Footstep {
  readonly thread: number;
  /** Whom it happened to; undefined where the environment spoke. */
  readonly process: string | undefined;
  /** Whose message it was, if it was one. */
  readonly sender: string | undefined;
  readonly isInternal: boolean;
}

/** A world that was met, and the way to it. */
export interface Node {
  readonly parent: Node | undefined;
  /** What led there from its parent; undefined at the beginning. */
  readonly by: Happened | undefined;
  /** How many transitions led there. */
  readonly depth: number;
  /** How many events there had been before the transition. */
  readonly since: number;
  /** The depths of the transitions that this one came after of necessity: what made it, and what its thread and its sender did. */
  readonly needs: readonly number[];
  /** The depth of what happened to the same process before; 0 for nothing. */
  readonly previous: number;
  /** Undefined where it has to be made again. */
  place: Place | undefined;
}

export const happened = (transition: Transition): Happened => ({
  key: transition.key,
  transition,
  thread: transition.thread,
  process: processOf(transition.step),
  sender: transition.step.kind === 'deliver' ? transition.step.from : undefined,
  isInternal: isInternal(transition.step),
});

/** Whom it happens to; nobody where the environment speaks. */
export function processOf(step: Internal | External): string | undefined {
  if (!('process' in step)) return undefined;
  return step.process === ENVIRONMENT ? undefined : step.process;
}

/** The transitions that lead to a node. */
export function wayTo(node: Node): Footstep[] {
  const footsteps: Footstep[] = [];
  for (let at: Node | undefined = node; at?.by !== undefined; at = at.parent) footsteps.push(at.by);
  return footsteps.reverse();
}

/** What a transition comes after, when it is made from here: the depths of other transitions. */
export function predecessorsOf(from: Node, { step, thread }: Transition): Pick<Node, 'needs' | 'previous'> {
  const needs = new Set<number>();
  const process = processOf(step);
  let previous = 0;
  let isThreadMet = thread < 0;
  const sender = step.kind === 'deliver' ? step.from : undefined;
  let isSenderMet = sender === undefined;
  let isCauseMet = !isInternal(step);
  for (let at: Node | undefined = from; at?.by !== undefined; at = at.parent) {
    const { by, depth, since } = at;
    if (!isCauseMet && isInternal(step) && since <= step.cause) {
      isCauseMet = true;
      needs.add(depth);
    }
    if (!isThreadMet && by.thread === thread) {
      isThreadMet = true;
      needs.add(depth);
    }
    if (process === undefined || by.process !== process) continue;
    previous ||= depth;
    if (isSenderMet || by.sender !== sender) continue;
    isSenderMet = true;
    needs.add(depth);
  }
  return { needs: [...needs], previous };
}

/** A way round: from some world on the way to a node, events that make its last one happen before another. */
export interface LateOvertaking {
  readonly from: Node;
  /** What the event cannot do without, then the event itself: keys of transitions. */
  readonly keys: readonly number[];
  /** What it overtakes: the key of a transition. */
  readonly overtaken: number;
}

/**
 * How the last event might have come before what happened to its process last, where that is not only a matter of choosing
 * it: other events have to come along. Undefined where it could not, or where nothing else is needed.
 */
export function overtakingBy(node: Node): LateOvertaking | undefined {
  const { by, previous, parent } = node;
  if (by === undefined || previous === 0 || !by.isInternal) return undefined;
  const needed = new Set(node.needs);
  const keys: number[] = [by.key];
  let at = parent as Node;
  for (; at.depth > previous; at = at.parent as Node) {
    if (!needed.has(at.depth)) continue;
    keys.push((at.by as Happened).key);
    for (const depth of at.needs) needed.add(depth);
    needed.add(at.previous);
  }
  const overtaken = at.by as Happened;
  if (needed.has(previous) || keys.length === 1 || !overtaken.isInternal) return undefined;
  return { from: at.parent as Node, keys: keys.reverse(), overtaken: overtaken.key };
}

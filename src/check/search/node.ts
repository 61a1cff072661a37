import { ENVIRONMENT, isInternal, type External, type Internal } from '../../trace/event.ts';
import type { Transition, SearchState } from './transitions.ts';
import type { Footstep } from './execute-prefix.ts';

/** A transition that was taken, with the facts that later transitions depend on. */
export interface Happened extends Footstep {
  readonly thread: number;
  /** The process of the event; undefined for the environment. */
  readonly process: string | undefined;
  /** The sender, if the event is a delivery. */
  readonly sender: string | undefined;
  readonly isInternal: boolean;
}

/** A world that was met, and the path to it. */
export interface Node {
  readonly parent: Node | undefined;
  /** The transition from the parent; undefined at the beginning. */
  readonly by: Happened | undefined;
  /** The number of transitions on the path. */
  readonly depth: number;
  /** The number of events before the transition. */
  readonly since: number;
  /** The depths of the transitions that had to come before: its cause, and the last ones of its thread and of its sender. */
  readonly needs: readonly number[];
  /** The depth of the previous event of the same process; 0 for none. */
  readonly previous: number;
  /** Undefined if the world has to be made again. */
  state: SearchState | undefined;
}

export const happened = (transition: Transition): Happened => ({
  key: transition.key,
  transition,
  thread: transition.thread,
  process: processOf(transition.step),
  sender: transition.step.kind === 'deliver' ? transition.step.from : undefined,
  isInternal: isInternal(transition.step),
});

/** The process of an event; undefined for the environment. */
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

/** The depths of the predecessors of a transition that is taken from here. */
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

/** A detour: events, from an earlier world of the path, that make the last event happen before another. */
export interface LateOvertaking {
  readonly from: Node;
  /** Keys of transitions: those that the event needs, then the event itself. */
  readonly keys: readonly number[];
  /** The key of the overtaken transition. */
  readonly overtaken: number;
}

/**
 * How the last event could have come before the previous event of its process, if other events come along. Undefined if
 * it could not, or if no other event is needed, so that choosing it suffices.
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

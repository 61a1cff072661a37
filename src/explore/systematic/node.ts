import { ENVIRONMENT, isInternal, type External, type Internal } from '../../trace/event.ts';
import type { Move, Place } from './moves.ts';

/** A world that was met, and the way to it. */
export interface Node {
  readonly parent: Node | undefined;
  /** What led there from its parent; undefined at the beginning. */
  readonly move: Move | undefined;
  /** How many moves led there. */
  readonly depth: number;
  /** How many events there had been before the move. */
  readonly since: number;
  /** The depths of the moves that this one came after of necessity: what made it, and what its thread and its sender did. */
  readonly needs: readonly number[];
  /** The depth of what happened to the same process before; 0 for nothing. */
  readonly previous: number;
  /** Undefined where it has to be made again. */
  place: Place | undefined;
}

/** Whom it happens to; nobody where the environment speaks. */
export function processOf(step: Internal | External): string | undefined {
  if (!('process' in step)) return undefined;
  return step.process === ENVIRONMENT ? undefined : step.process;
}

/** The moves that lead to a node. */
export function wayTo(node: Node): Move[] {
  const moves: Move[] = [];
  for (let at: Node | undefined = node; at?.move !== undefined; at = at.parent) moves.push(at.move);
  return moves.reverse();
}

/** What a move comes after, when it is made from here: the depths of other moves. */
export function predecessorsOf(from: Node, { step, thread }: Move): Pick<Node, 'needs' | 'previous'> {
  const needs = new Set<number>();
  const process = processOf(step);
  let previous = 0;
  let isThreadMet = thread < 0;
  let isSenderMet = step.kind !== 'deliver';
  let isCauseMet = !isInternal(step);
  for (let at: Node | undefined = from; at?.move !== undefined; at = at.parent) {
    const { move, depth, since } = at;
    if (!isCauseMet && isInternal(step) && since <= step.cause) {
      isCauseMet = true;
      needs.add(depth);
    }
    if (!isThreadMet && move.thread === thread) {
      isThreadMet = true;
      needs.add(depth);
    }
    if (process === undefined || processOf(move.step) !== process) continue;
    previous ||= depth;
    if (isSenderMet || step.kind !== 'deliver' || move.step.kind !== 'deliver') continue;
    if (move.step.from !== step.from) continue;
    isSenderMet = true;
    needs.add(depth);
  }
  return { needs: [...needs], previous };
}

/** A way round: from some world on the way to a node, events that make its last one happen before another. */
export interface Overtaking {
  readonly from: Node;
  /** What the event cannot do without, then the event itself: keys of moves. */
  readonly keys: readonly number[];
  /** What it overtakes. */
  readonly overtaken: Move;
}

/**
 * How the last event might have come before what happened to its process last, where that is not only a matter of choosing
 * it: other events have to come along. Undefined where it could not, or where nothing else is needed.
 */
export function overtakingBy(node: Node): Overtaking | undefined {
  const { move, previous, parent } = node;
  if (move === undefined || previous === 0 || !isInternal(move.step)) return undefined;
  const needed = new Set(node.needs);
  const keys: number[] = [move.key];
  let at = parent as Node;
  for (; at.depth > previous; at = at.parent as Node) {
    if (!needed.has(at.depth)) continue;
    keys.push((at.move as Move).key);
    for (const depth of at.needs) needed.add(depth);
    needed.add(at.previous);
  }
  const overtaken = at.move as Move;
  if (needed.has(previous) || keys.length === 1 || !isInternal(overtaken.step)) return undefined;
  return { from: at.parent as Node, keys: keys.reverse(), overtaken };
}

import { BitSet } from './bit-set.ts';
import type { Operation } from './operation.ts';
import { NONE, Timeline } from './timeline.ts';
import { Unreturned } from './unreturned.ts';

/** The operations of one history, which of them are linearised, and which of the others may come next. */
export class Remaining<I, O> {
  /** How many of those that returned are not linearised. When none is left, the rest may be left out. */
  left: number;

  /** By number: those that returned, then those that did not, each in the order of their calls. */
  private readonly operations: readonly Operation<I, O>[];
  private readonly returned: number;
  private readonly timeline: Timeline;
  private readonly linearised: BitSet;
  private readonly unreturned: Unreturned<I>;

  constructor(history: readonly Operation<I, O>[]) {
    const byCall = history.toSorted((a, b) => a.called - b.called);
    const returned = byCall.filter((operation) => operation.returned !== undefined);
    const unreturned = byCall.filter((operation) => operation.returned === undefined);
    this.operations = [...returned, ...unreturned];
    this.returned = this.left = returned.length;
    this.timeline = new Timeline(returned);
    this.linearised = new BitSet(returned.length);
    this.unreturned = new Unreturned(unreturned);
  }

  at(operation: number): Operation<I, O> {
    return this.operations[operation] as Operation<I, O>;
  }

  hasReturned(operation: number): boolean {
    return operation < this.returned;
  }

  firstCandidate(): number {
    return this.left === 0 ? NONE : this.timeline.first();
  }

  /** In the order of calls, up to the first return, which must come before all that was called after it. */
  candidateAfter(operation: number): number {
    const next = this.hasReturned(operation) ? this.timeline.callAfter(operation) : NONE;
    if (next !== NONE) return next;
    const { returned = Infinity } = this.at(this.overdue());
    const offered = this.unreturned.offer(Math.max(0, operation + 1 - this.returned), returned);
    return offered === NONE ? NONE : this.returned + offered;
  }

  /** The one that returned first, and so has to be linearised before all that is called later. */
  overdue(): number {
    return this.timeline.firstReturned();
  }

  linearise(operation: number): void {
    if (!this.hasReturned(operation)) return this.unreturned.place(operation - this.returned);
    this.left -= 1;
    this.linearised.add(operation);
    this.timeline.lift(operation);
  }

  /** Undoes the last `linearise` that was not undone. */
  takeBack(operation: number): void {
    if (!this.hasReturned(operation)) return this.unreturned.takeBack(operation - this.returned);
    this.left += 1;
    this.linearised.delete(operation);
    this.timeline.putBack(operation);
  }

  /** The same for the same operations linearised, in whatever order. */
  text(): string {
    return this.linearised.text() + this.unreturned.text();
  }
}

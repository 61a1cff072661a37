import { BitSet } from './bit-set.ts';
import { canonicalText } from './canonical.ts';
import type { Operation } from './operation.ts';
import { NONE, Timeline } from './timeline.ts';

/** The operations of one history: which of them are linearized, and which of the others may come next. */
export class Remaining<I, O> {
  /**
   * The number of returned operations that are not linearized yet. At 0 the search is done, because unreturned
   * operations may be left out.
   */
  left: number;

  /** By number: returned operations, then unreturned ones, each in the order of their calls. */
  private readonly operations: readonly Operation<I, O>[];
  private readonly returned: number;
  private readonly timeline: Timeline;
  private readonly linearized: BitSet;
  private readonly unreturned: Unreturned<I>;

  constructor(history: readonly Operation<I, O>[]) {
    const byCall = history.toSorted((a, b) => a.called - b.called);
    const returned = byCall.filter((operation) => operation.returned !== undefined);
    const unreturned = byCall.filter((operation) => operation.returned === undefined);
    this.operations = [...returned, ...unreturned];
    this.returned = this.left = returned.length;
    this.timeline = new Timeline(returned);
    this.linearized = new BitSet(returned.length);
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

  /** In the order of calls, up to the first return: every operation called later must come after that one. */
  candidateAfter(operation: number): number {
    const next = this.hasReturned(operation) ? this.timeline.callAfter(operation) : NONE;
    if (next !== NONE) return next;
    const { returned = Infinity } = this.at(this.overdue());
    const offered = this.unreturned.offer(Math.max(0, operation + 1 - this.returned), returned);
    return offered === NONE ? NONE : this.returned + offered;
  }

  /** The operation that returned first, which has to be linearized before all that are called later. */
  overdue(): number {
    return this.timeline.firstReturned();
  }

  linearize(operation: number): void {
    if (!this.hasReturned(operation)) return this.unreturned.place(operation - this.returned);
    this.left -= 1;
    this.linearized.add(operation);
    this.timeline.lift(operation);
  }

  /** Undoes the last `linearize`. */
  takeBack(operation: number): void {
    if (!this.hasReturned(operation)) return this.unreturned.takeBack(operation - this.returned);
    this.left += 1;
    this.linearized.delete(operation);
    this.timeline.putBack(operation);
  }

  /** Equal if the same operations are linearized, in any order. */
  text(): string {
    return this.linearized.text() + this.unreturned.text();
  }
}

/**
 * The operations that never returned, in the order of their calls. Each may be linearized after its call or left out.
 * Of several with the same input, only the first call is offered: it works wherever a later one does, and trying all of
 * them would multiply the search.
 */
class Unreturned<I> {
  private readonly placed: BitSet;
  /** The previous operation with the same input, or NONE. */
  private readonly alike: readonly number[];

  /** Sorted by their calls. */
  constructor(private readonly operations: readonly Operation<I, unknown>[]) {
    this.placed = new BitSet(operations.length);
    const last = new Map<string, number>();
    this.alike = operations.map(({ input }, number) => {
      const text = canonicalText(input, 'the input of an operation');
      const before = last.get(text) ?? NONE;
      last.set(text, number);
      return before;
    });
  }

  /** The first from `number` on that may be linearized before `position`. */
  offer(number: number, position: number): number {
    for (let at = number; at < this.operations.length; at++) {
      if ((this.operations[at] as Operation<I, unknown>).called > position) return NONE;
      if (this.mayBePlaced(at)) return at;
    }
    return NONE;
  }

  place(number: number): void {
    this.placed.add(number);
  }

  takeBack(number: number): void {
    this.placed.delete(number);
  }

  text(): string {
    return this.operations.length === 0 ? '' : this.placed.text();
  }

  private mayBePlaced(number: number): boolean {
    const alike = this.alike[number] as number;
    return !this.placed.has(number) && (alike === NONE || this.placed.has(alike));
  }
}

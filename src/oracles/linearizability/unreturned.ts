import { BitSet } from './bit-set.ts';
import { canonicalText } from './canonical.ts';
import type { Operation } from './operation.ts';
import { NONE } from './timeline.ts';

/**
 * The operations that never returned, in the order of their calls. Each may be linearised after its call or left out.
 * Of several with the same input only the one called first is offered: any of them would do where a later one does, and
 * trying them all would multiply the search.
 */
export class Unreturned<I> {
  private readonly placed: BitSet;
  /** The one with the same input that was called just before, or none. */
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

  /** The first from `number` on that may be linearised before `position`. */
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

import type { Operation } from './operation.ts';

export const NONE = -1;

const HEAD = 0;

/**
 * The calls and returns of the operations that are not linearized, in the order of time: a doubly linked list.
 * Linearizing an operation removes it, and backtracking puts it back (Wing & Gong 1993). An operation may come next if
 * its call comes before the first return. Operations are numbers, and all of them returned.
 */
export class Timeline {
  private readonly next: Int32Array;
  private readonly previous: Int32Array;
  /** By entry. A return is stored as the complement of its operation's number. */
  private readonly entries: Int32Array;
  private readonly calls: Int32Array;
  private readonly returns: Int32Array;

  constructor(operations: readonly Operation<unknown, unknown>[]) {
    const size = operations.length;
    this.calls = new Int32Array(size);
    this.returns = new Int32Array(size);
    this.entries = Int32Array.from([HEAD, ...inTime(operations)]);
    for (const [entry, what] of this.entries.entries()) {
      if (entry === HEAD) continue;
      if (what >= 0) this.calls[what] = entry;
      else this.returns[~what] = entry;
    }
    const count = this.entries.length;
    this.next = Int32Array.from({ length: count }, (_, entry) => (entry + 1) % count);
    this.previous = Int32Array.from({ length: count }, (_, entry) => (entry + count - 1) % count);
  }

  /** The operation that was called first. The timeline must not be empty. */
  first(): number {
    return this.operationAt(this.after(HEAD));
  }

  /** The operation that was called next, if its call comes before the first return. */
  callAfter(operation: number): number {
    const what = this.operationAt(this.after(this.calls[operation] as number));
    return what >= 0 ? what : NONE;
  }

  /** The operation that returned first. The timeline must not be empty. */
  firstReturned(): number {
    let entry = this.after(HEAD);
    while (this.operationAt(entry) >= 0) entry = this.after(entry);
    return ~this.operationAt(entry);
  }

  lift(operation: number): void {
    this.unlink(this.calls[operation] as number);
    this.unlink(this.returns[operation] as number);
  }

  /** Undoes the last `lift`: removed entries keep their neighbors. */
  putBack(operation: number): void {
    this.relink(this.returns[operation] as number);
    this.relink(this.calls[operation] as number);
  }

  private operationAt(entry: number): number {
    return this.entries[entry] as number;
  }

  private after(entry: number): number {
    return this.next[entry] as number;
  }

  private unlink(entry: number): void {
    const [before, after] = [this.previous[entry] as number, this.after(entry)];
    this.next[before] = after;
    this.previous[after] = before;
  }

  private relink(entry: number): void {
    this.next[this.previous[entry] as number] = entry;
    this.previous[this.after(entry)] = entry;
  }
}

/** At the same position calls come before returns: such operations are concurrent. */
function inTime(operations: readonly Operation<unknown, unknown>[]): number[] {
  const positions = operations.flatMap(({ called, returned = called }, number) => [
    { position: called, what: number },
    { position: returned, what: ~number },
  ]);
  const isReturn = (what: number): number => (what < 0 ? 1 : 0);
  positions.sort((a, b) => a.position - b.position || isReturn(a.what) - isReturn(b.what));
  return positions.map(({ what }) => what);
}

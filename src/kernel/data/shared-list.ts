/** A chunk has 64 items. */
const BITS = 6;
const MASK = 63;

/** A list that forks share. Each copies the chunks that it changes, so that a change costs little in a long list. */
export class SharedList<T> {
  private constructor(
    /** The chunks that other lists have, too. A chunk that is not among them may be changed in place. */
    private readonly shared: readonly (readonly T[])[],
    private readonly chunks: T[][],
    public length: number,
  ) {}

  static empty<T>(): SharedList<T> {
    return new SharedList<T>([], [[]], 0);
  }

  /** A list that may be changed. This one must not be changed any more. */
  copy(): SharedList<T> {
    return new SharedList<T>(this.chunks, this.chunks.slice(), this.length);
  }

  at(place: number): T {
    return (this.chunks[place >>> BITS] as T[])[place & MASK] as T;
  }

  set(place: number, item: T): void {
    this.ownChunk(place >>> BITS)[place & MASK] = item;
  }

  push(item: T): void {
    this.set(this.length, item);
    this.length += 1;
  }

  all(): T[] {
    return this.chunks.flat(1);
  }

  private ownChunk(at: number): T[] {
    const chunk = this.chunks[at];
    if (chunk !== undefined && chunk !== this.shared[at]) return chunk;
    const owned = chunk === undefined ? [] : chunk.slice();
    this.chunks[at] = owned;
    return owned;
  }
}

/** A chunk has 64 items. */
const BITS = 6;
const MASK = 63;

interface Chunk<T> {
  readonly owner: object;
  readonly items: T[];
}

/** A list that forks share. Each copies the chunks that it changes, so that a change costs little in a long list. */
export class SharedList<T> {
  private constructor(
    /** The world that may change this object. Any other must copy it first. */
    private readonly owner: object,
    private readonly chunks: Chunk<T>[],
    public length: number,
  ) {}

  static empty<T>(owner: object): SharedList<T> {
    return new SharedList<T>(owner, [], 0);
  }

  copyFor(owner: object): SharedList<T> {
    return new SharedList<T>(owner, this.chunks.slice(), this.length);
  }

  at(place: number): T {
    return (this.chunks[place >>> BITS] as Chunk<T>).items[place & MASK] as T;
  }

  set(place: number, item: T): void {
    this.ownChunk(place >>> BITS).items[place & MASK] = item;
  }

  push(item: T): void {
    this.set(this.length, item);
    this.length += 1;
  }

  *[Symbol.iterator](): Iterator<T> {
    for (const { items } of this.chunks) yield* items;
  }

  private ownChunk(at: number): Chunk<T> {
    const chunk = this.chunks[at];
    if (chunk !== undefined && chunk.owner === this.owner) return chunk;
    const owned: Chunk<T> = { owner: this.owner, items: chunk === undefined ? [] : chunk.items.slice() };
    this.chunks[at] = owned;
    return owned;
  }
}

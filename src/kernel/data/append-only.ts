/**
 * A list that only grows. A fork begins at the end of its parent and shares all earlier items: nothing is copied until
 * a caller reads the whole list.
 */
export class AppendOnly<T> {
  private readonly own: T[] = [];

  private constructor(
    private readonly parent: AppendOnly<T> | undefined,
    /** How much of the parent belongs to this list. */
    private readonly shared: number,
  ) {}

  static empty<T>(): AppendOnly<T> {
    return new AppendOnly<T>(undefined, 0);
  }

  fork(): AppendOnly<T> {
    // A list that never grew is only a view of its parent: do not build chains of them.
    return this.own.length === 0 ? new AppendOnly(this.parent, this.shared) : new AppendOnly(this, this.length);
  }

  get length(): number {
    return this.shared + this.own.length;
  }

  get last(): T | undefined {
    return this.own.length > 0 ? this.own[this.own.length - 1] : this.parent?.get(this.shared - 1);
  }

  push(item: T): void {
    this.own.push(item);
  }

  /** The items from the one at `from` on, oldest first. */
  since(from: number): T[] {
    if (from >= this.shared) return this.own.slice(from - this.shared);
    const parts: T[][] = [];
    let end = this.length;
    for (const list of AppendOnly.chain(this)) {
      if (end <= from) break;
      parts.push(list.own.slice(Math.max(0, from - list.shared), end - list.shared));
      end = Math.min(end, list.shared);
    }
    return parts.reverse().flat(1);
  }

  /** The item at that place; undefined if there is none. */
  get(at: number): T | undefined {
    for (const list of AppendOnly.chain(this)) if (at >= list.shared) return list.own[at - list.shared];
    return undefined;
  }

  /** This list, its parent, and so on. */
  private static *chain<T>(from: AppendOnly<T>): Generator<AppendOnly<T>> {
    for (let list: AppendOnly<T> | undefined = from; list !== undefined; list = list.parent) yield list;
  }
}

import type { Random } from '../../kernel/data/random.ts';

/** Random priorities between 0 and 1, drawn when they are first needed. */
export class Priorities<K> {
  private readonly known = new Map<K, number>();

  constructor(private readonly random: Random) {}

  of(key: K): number {
    let priority = this.known.get(key);
    if (priority === undefined) {
      priority = this.random.float();
      this.known.set(key, priority);
    }
    return priority;
  }

  set(key: K, priority: number): void {
    this.known.set(key, priority);
  }

  /** The next use of this key draws again. */
  forget(key: K): void {
    this.known.delete(key);
  }
}

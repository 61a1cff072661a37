import type { Random } from '../../kernel/data/random.ts';

/** Priorities that are drawn, between 0 and 1, when they are first asked for. */
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

  /** The next question draws again. */
  forget(key: K): void {
    this.known.delete(key);
  }
}

/** A map that forgets its oldest entries when it is full. */
export class Lru<T> {
  private readonly kept = new Map<string, T>();

  constructor(private readonly most: number) {}

  get(key: string): T | undefined {
    return this.kept.get(key);
  }

  keep(key: string, value: T): void {
    if (this.kept.size >= this.most) this.kept.delete(this.kept.keys().next().value as string);
    this.kept.set(key, value);
  }

  clear(): void {
    this.kept.clear();
  }
}

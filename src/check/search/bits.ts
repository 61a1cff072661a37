/** A set of small numbers below a fixed bound. */
export class Bits {
  private readonly words: Uint32Array;

  constructor(bound: number) {
    this.words = new Uint32Array((bound + 31) >>> 5);
  }

  has(at: number): boolean {
    return ((this.words[at >>> 5] ?? 0) & (1 << (at & 31))) !== 0;
  }

  add(at: number): void {
    this.words[at >>> 5] = (this.words[at >>> 5] as number) | (1 << (at & 31));
  }

  /** Adds all of a set whose bound is no larger. */
  addAll(other: Bits): void {
    for (let at = 0; at < other.words.length; at++) {
      this.words[at] = (this.words[at] as number) | (other.words[at] as number);
    }
  }
}

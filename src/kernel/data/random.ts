// Kept at hand, as in `trace/digest.ts`.
const { floor } = Math;

/** Seeded random numbers: sfc32 (Chris Doty-Humphrey). Small state, copied with the process that owns it. */
export class Random {
  private constructor(
    private a: number,
    private b: number,
    private c: number,
    private count: number,
  ) {}

  static seeded(hi: number, lo: number): Random {
    const random = new Random(hi | 0, lo | 0, 0x9e3779b9 | 0, 1);
    // Fresh states are alike in their first outputs: let the seed reach every bit before anyone looks.
    for (let i = 0; i < 12; i++) random.next();
    return random;
  }

  /** Continues from a position. */
  static at(position: string): Random {
    const [a = 0, b = 0, c = 0, count = 0] = position.split(' ').map(Number);
    return new Random(a, b, c, count);
  }

  /** A whole number from 0 to 2^32 - 1. */
  next(): number {
    const sum = (((this.a + this.b) | 0) + this.count) | 0;
    this.count = (this.count + 1) | 0;
    this.a = this.b ^ (this.b >>> 9);
    this.b = (this.c + (this.c << 3)) | 0;
    this.c = (((this.c << 21) | (this.c >>> 11)) + sum) | 0;
    return sum >>> 0;
  }

  /** A whole number from 0 up to, not including, `bound`. */
  below(bound: number): number {
    return floor((this.next() / 0x1_0000_0000) * bound);
  }

  /** A number from 0 up to, not including, 1, with 53 random bits. */
  float(): number {
    return ((this.next() >>> 5) * 0x400_0000 + (this.next() >>> 6)) / 0x20_0000_0000_0000;
  }

  /** One item of the list, each as likely as the others. */
  pick<T>(from: readonly T[]): T {
    if (from.length === 0) throw new RangeError('random: nothing to pick from an empty list');
    return from[this.below(from.length)] as T;
  }

  /** Equal if the same numbers follow. */
  get position(): string {
    return `${this.a} ${this.b} ${this.c} ${this.count}`;
  }

  /** A generator that draws the same numbers from here on, without touching this one. */
  copy(): Random {
    return new Random(this.a, this.b, this.c, this.count);
  }
}

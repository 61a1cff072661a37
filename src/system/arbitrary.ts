import type { Random } from '../kernel/data/random.ts';

/**
 * What we need of an arbitrary of fast-check. Its own type would make it a dependency of everybody; any version that
 * generates like this will do.
 */
export interface Arbitrary<T> {
  generate(random: never, bias: number | undefined): Drawn<T>;
  /** Simpler values, the simplest first; the context is what came with the value. */
  shrink?(value: never, context: unknown): Iterable<Drawn<T>>;
}

/** A value, and what its arbitrary wants to be told again to make it simpler. */
export interface Drawn<T> {
  readonly value: T;
  readonly context?: unknown;
}

/** One value, by our own seed. */
export function drawFrom<T>(arbitrary: Arbitrary<T>, random: Random): Drawn<T> {
  const drawn = arbitrary.generate(new Chance(random) as never, undefined);
  // Read here, where an arbitrary that throws is known: it may draw a Proxy.
  return drawn && { value: drawn.value, context: drawn.context };
}

/** Our random numbers, the way that arbitraries ask for them. */
class Chance {
  constructor(private readonly random: Random) {}

  clone(): Chance {
    return new Chance(this.random.copy());
  }

  next(bits: number): number {
    return this.random.next() >>> (32 - bits);
  }

  nextBoolean(): boolean {
    return this.next(1) === 1;
  }

  /** Both ends included. */
  nextInt(min = -0x8000_0000, max = 0x7fff_ffff): number {
    const span = max - min + 1;
    return min + (span <= 0x1_0000_0000 ? this.random.below(span) : Math.floor(this.random.float() * span));
  }

  nextBigInt(min: bigint, max: bigint): bigint {
    const span = max - min + 1n;
    let drawn = 0n;
    for (let reach = 1n; reach < span << 32n; reach <<= 32n) drawn = (drawn << 32n) | BigInt(this.random.next());
    return min + (drawn % span);
  }

  nextDouble(): number {
    return this.random.float();
  }

  getState(): undefined {
    return undefined;
  }
}

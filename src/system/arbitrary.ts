import type { External } from '../trace/event.ts';
import { portableText } from '../trace/json-encoding.ts';
import { isOf } from '../error.ts';
import { BadAnswer, externalFrom } from '../kernel/user-code/answer.ts';
import { SystemThrew } from '../kernel/errors.ts';
import type { Random } from '../kernel/data/random.ts';

/**
 * The part of a fast-check arbitrary that culprit uses. The type of fast-check itself would make it a dependency of
 * every user; any version that generates like this works.
 */
export interface Arbitrary<T> {
  /** Draws a value; `bias` makes small and special values more likely. */
  generate(random: never, bias: number | undefined): Drawn<T>;
  /** Simpler values, the simplest first. `context` is the one that `generate` returned with the value. */
  shrink?(value: never, context: unknown): Iterable<Drawn<T>>;
}

/** A value, and the context that its arbitrary needs to shrink it. */
export interface Drawn<T> {
  readonly value: T;
  readonly context?: unknown;
}

/** One value, drawn with our own seed. */
export function drawFrom<T>(arbitrary: Arbitrary<T>, random: Random): Drawn<T> {
  const drawn = arbitrary.generate(new Chance(random) as never, undefined);
  // Read here, because a Proxy that throws is the fault of the arbitrary.
  return drawn && { value: drawn.value, context: drawn.context };
}

/** Our random numbers behind the interface that arbitraries expect. */
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

const ASKED = 'the arbitrary of a workload, asked for something simpler,';

/** Shrinks externals with the arbitraries that generated them. */
export class Shrinking {
  /** By their text: the drawn value and its arbitrary. */
  private readonly origins = new Map<string, { readonly drawn: Drawn<External>; readonly from: Arbitrary<External> }>();

  add(drawn: Drawn<External>, from: Arbitrary<External>): void {
    this.origins.set(textOf(drawn.value), { drawn, from });
  }

  /** Simpler externals, which can be shrunk in turn; none if the external was not generated. */
  *simplerThan(external: External): Generator<External> {
    const origin = this.origins.get(textOf(external));
    if (origin?.from.shrink === undefined) return;
    try {
      for (const drawn of origin.from.shrink(origin.drawn.value as never, origin.drawn.context)) {
        externalFrom(ASKED, drawn.value);
        this.add(drawn, origin.from);
        yield drawn.value;
      }
    } catch (error) {
      throw isOf(error, BadAnswer) ? error : new SystemThrew(ASKED, error);
    }
  }
}

const textOf = (external: External): string => portableText(external, 'the external event');

import { Random } from '../kernel/data/random.ts';

/**
 * The three series of fake answers. An execution that differs between two series depends on the answers. Small and
 * large answers fall on both sides of any value that they are compared with.
 */
export type Series = 'plain' | 'small' | 'large';

const SEEDS: Readonly<Record<Series, number>> = { plain: 5, small: 6, large: 7 };

/** One fake answer of a clock or of a random source: equal for equal series and number. */
export class FakeAnswer {
  constructor(
    private readonly series: Series,
    /** The number of the answer among those of its source, from 0. */
    private readonly nth: number,
  ) {}

  /** Later with every answer, so that code that waits for a time to pass gets there. */
  get timeMs(): number {
    switch (this.series) {
      case 'plain':
        return 1_000_000_000_000 + this.nth;
      case 'small':
        return 86_400_000 + this.nth * 60_000;
      case 'large':
        return 4_000_000_000_000 + this.nth * 86_400_000;
    }
  }

  /**
   * From 0 up to, not including, 1. Every fourth answer is in between, because code that draws until a value fits must
   * end. It differs between the series, so that no answer is in between in all of them.
   */
  get float(): number {
    const isBetween = this.series === 'plain' || this.nth % 4 === (this.series === 'small' ? 3 : 2);
    if (isBetween) return this.random.float();
    return this.series === 'small' ? 0 : 1 - 2 ** -53;
  }

  /** Bytes that begin low or high. No two answers are equal. */
  bytes(length: number): Uint8Array {
    const { random } = this;
    const bytes = Uint8Array.from({ length }, () => random.below(256));
    if (this.series !== 'plain' && length > 0) bytes[0] = this.series === 'small' ? 0 : 255;
    return bytes;
  }

  private get random(): Random {
    return Random.seeded(this.nth, SEEDS[this.series]);
  }
}

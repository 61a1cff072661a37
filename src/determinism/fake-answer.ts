import { Random } from '../kernel/data/random.ts';

/**
 * Made-up answers come in three series. What comes out otherwise with another series depends on the answers; small and
 * large ones fall on both sides of whatever they are compared with.
 */
export type Series = 'plain' | 'small' | 'large';

const SEEDS: Readonly<Record<Series, number>> = { plain: 5, small: 6, large: 7 };

/** One made-up answer of a clock or of a random source: the same for the same series and number. */
export class Draw {
  constructor(
    private readonly series: Series,
    /** Which answer of its source it is, from 0. */
    private readonly nth: number,
  ) {}

  /** Later with every answer, so that code which waits for a time to pass gets there. */
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
   * From 0 up to, not including, 1. Every fourth is somewhere in between, as code that draws until it likes one must end: not
   * the same in both series, so that no answer is in between in all of them.
   */
  get float(): number {
    const isBetween = this.series === 'plain' || this.nth % 4 === (this.series === 'small' ? 3 : 2);
    if (isBetween) return this.random.float();
    return this.series === 'small' ? 0 : 1 - 2 ** -53;
  }

  /** They begin low or high, and no two answers are alike. */
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

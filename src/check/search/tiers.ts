/** An item with a cost. */
interface Ranked {
  readonly cost: number;
}

/** A priority queue: the best tier first, within it the least cost, and of equal costs the oldest item. */
export class Tiers<T extends Ranked> {
  /** By tier, then by cost. */
  private readonly tiers: Lane<T>[][];
  /** The number of items. */
  count = 0;

  constructor(tiers: number) {
    this.tiers = Array.from({ length: tiers }, () => []);
  }

  add(tier: number, one: T): void {
    const lanes = this.tiers[tier] as Lane<T>[];
    while (lanes.length <= one.cost) lanes.push(new Lane());
    lanes[one.cost]?.waiting.push(one);
    this.count += 1;
  }

  /** All items, in the order in which they will be taken. */
  get all(): { readonly one: T; readonly tier: number }[] {
    return this.tiers.flatMap((lanes, tier) => lanes.flatMap((lane) => lane.left.map((one) => ({ one, tier }))));
  }

  /** Takes the next item, with its tier; undefined if the queue is empty. */
  take(): { readonly one: T; readonly tier: number } | undefined {
    for (const [tier, lanes] of this.tiers.entries()) {
      const lane = lanes.find(({ waiting }) => waiting.length > 0);
      if (lane === undefined) continue;
      this.count -= 1;
      return { one: lane.take(), tier };
    }
    return undefined;
  }
}

/** Taken items are removed in bulk, because shifting a long array is slow. */
const CUT_OFF = 1_000;

/** First in, first out. */
class Lane<T> {
  readonly waiting: T[] = [];
  private taken = 0;

  get left(): readonly T[] {
    return this.waiting.slice(this.taken);
  }

  take(): T {
    const one = this.waiting[this.taken++] as T;
    if (this.taken < this.waiting.length && this.taken < CUT_OFF) return one;
    this.waiting.splice(0, this.taken);
    this.taken = 0;
    return one;
  }
}

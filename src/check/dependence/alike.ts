/**
 * Whether nobody who looks at these data can tell them apart. The order of keys can be seen, and so can a field that is
 * there and undefined: no digest of data goes by that. So can whether two places hold one object.
 */
export const isAlike = (one: unknown, other: unknown): boolean => new Comparison().isAlike(one, other);

class Comparison {
  /** The objects met so far, and what stood in their places on the other side; both ways, as each stands for one. */
  private readonly others = new Map<object, object>();
  private readonly ones = new Map<object, object>();

  isAlike(one: unknown, other: unknown): boolean {
    if (Object.is(one, other)) return true;
    if (!isObject(one) || !isObject(other)) return false;
    if (this.others.has(one) || this.ones.has(other)) return this.others.get(one) === other;
    this.others.set(one, other);
    this.ones.set(other, one);
    return this.hasSameParts(one, other);
  }

  private hasSameParts(one: Fields, other: Fields): boolean {
    if (one instanceof Map) return other instanceof Map && this.isSameList([...one].flat(1), [...other].flat(1));
    if (one instanceof Set) return other instanceof Set && this.isSameList([...one], [...other]);
    if (other instanceof Map || other instanceof Set || lengthOf(one) !== lengthOf(other)) return false;
    if ((Object.getPrototypeOf(one) === null) !== (Object.getPrototypeOf(other) === null)) return false;
    const names = Object.keys(one);
    return this.isSameList(names, Object.keys(other)) && names.every((name) => this.isAlike(one[name], other[name]));
  }

  private isSameList(some: readonly unknown[], others: readonly unknown[]): boolean {
    return some.length === others.length && some.every((one, at) => this.isAlike(one, others[at]));
  }
}

/** Undefined where it is no array. */
const lengthOf = (value: object): number | undefined => (Array.isArray(value) ? value.length : undefined);

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

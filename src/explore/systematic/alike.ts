/**
 * Whether nobody who looks at these data can tell them apart. The order of keys can be seen, and so can a field that is
 * there and undefined: no digest of data goes by that.
 */
export function isAlike(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (!isObject(one) || !isObject(other)) return false;
  if (one instanceof Map) return other instanceof Map && isSameList([...one].flat(1), [...other].flat(1));
  if (one instanceof Set) return other instanceof Set && isSameList([...one], [...other]);
  if (other instanceof Map || other instanceof Set || Array.isArray(one) !== Array.isArray(other)) return false;
  const names = Object.keys(one);
  return isSameList(names, Object.keys(other)) && names.every((name) => isAlike(one[name], other[name]));
}

const isSameList = (some: readonly unknown[], others: readonly unknown[]): boolean =>
  some.length === others.length && some.every((one, at) => isAlike(one, others[at]));

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

import { setOwn, shapeOf } from '../../trace/plain-data.ts';

/** A copy of plain data with all keys in the order in which files have them; everything else, aliases included, stays as it is. */
export function inKeyOrder<T>(value: T): T {
  const copies = new Map<object, object>();
  const copied = (inner: unknown): unknown => {
    if (typeof inner !== 'object' || inner === null) return inner;
    return copies.get(inner) ?? copyOf(inner);
  };
  const keep = <C extends object>(original: object, copy: C): C => {
    copies.set(original, copy);
    return copy;
  };
  const copyOf = (original: object): object => {
    switch (shapeOf(original)) {
      case 'list':
        return filled(original as readonly unknown[], keep(original, (original as readonly unknown[]).slice()));
      case 'map': {
        const map = keep(original, new Map<unknown, unknown>());
        for (const [key, inner] of original as ReadonlyMap<unknown, unknown>) map.set(copied(key), copied(inner));
        return map;
      }
      case 'set': {
        const set = keep(original, new Set<unknown>());
        for (const inner of original as ReadonlySet<unknown>) set.add(copied(inner));
        return set;
      }
      case 'bare':
        return withFields(original, keep(original, { __proto__: null }));
      default:
        return withFields(original, keep(original, {}));
    }
  };
  const withFields = (original: object, fields: Record<string, unknown>): object => {
    for (const key of Object.keys(original).sort())
      setOwn(fields, key, copied((original as Record<string, unknown>)[key]));
    return fields;
  };
  // `forEach` passes over the places that were left out.
  const filled = (original: readonly unknown[], list: unknown[]): unknown[] => {
    original.forEach((inner, at) => void (list[at] = copied(inner)));
    return list;
  };
  return copied(value) as T;
}

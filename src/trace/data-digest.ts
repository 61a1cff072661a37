import { digestNumber, digestText, mixHi, mixLo, type Digest } from './digest.ts';

/**
 * Of plain data: equal data has equal digests. The order of an object's keys does not count, nor do fields that are
 * undefined; the order in a list, a Map and a Set does.
 */
export function digestData(value: unknown): Digest {
  switch (typeof value) {
    case 'string':
      return digestText(value);
    case 'number':
      return digestNumber(value);
    case 'object':
      if (value === null) return NULL;
      if (Array.isArray(value)) return chained(LIST, value.map(digestData));
      if (value instanceof Map)
        return chained(
          MAP,
          [...value].flatMap(([key, inner]) => [digestData(key), digestData(inner)]),
        );
      return value instanceof Set ? chained(SET, [...value].map(digestData)) : summed(OBJECT, fieldsOf(value));
    case 'bigint':
      return chained(BIGINT, [digestText(String(value))]);
    default:
      return chained(OTHER, [digestText(String(value))]);
  }
}

const [NULL, LIST, MAP, SET, OBJECT, BIGINT, OTHER] = ['null', 'list', 'map', 'set', 'object', 'bigint', 'other'].map(
  (kind) => digestText(`\0${kind}`),
) as [Digest, Digest, Digest, Digest, Digest, Digest, Digest];

function fieldsOf(object: object): Digest[] {
  const fields: Digest[] = [];
  for (const [key, value] of Object.entries(object)) {
    if (value !== undefined) fields.push(chained(digestText(key), [digestData(value)]));
  }
  return fields;
}

/** Depends on the order. */
export function chained({ hi, lo }: Digest, parts: readonly Digest[]): Digest {
  let [high, low] = [mixHi(hi, parts.length), mixLo(lo, parts.length)];
  for (const part of parts) {
    high = mixHi(high, part.hi);
    low = mixLo(low, part.lo);
  }
  return { hi: high, lo: low };
}

/** Does not depend on the order. */
export function summed({ hi, lo }: Digest, parts: readonly Digest[]): Digest {
  let [high, low] = [hi, lo];
  for (const part of parts) {
    high = (high + mixHi(part.hi, part.lo)) | 0;
    low = (low + mixLo(part.lo, part.hi)) | 0;
  }
  return { hi: high, lo: low };
}

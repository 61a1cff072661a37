import { DEPTH_MAX, isPlainObject, NotPlainData } from './plain-data.ts';

/**
 * Plain data as JSON, and back, without loss: what JSON cannot say is written as an object with one `$` key.
 * Object keys come out sorted, so that equal data has equal text; fields that are undefined are left out.
 */
export function toPortable(value: unknown, what: string, depth = 0): unknown {
  switch (typeof value) {
    case 'object':
      return value === null ? null : objectToPortable(value, what, depth);
    case 'number':
      return Number.isFinite(value) && !Object.is(value, -0)
        ? value
        : { $number: Object.is(value, -0) ? '-0' : String(value) };
    case 'bigint':
      return { $bigint: String(value) };
    case 'undefined':
      return { $undefined: true };
    case 'function':
    case 'symbol':
      throw new NotPlainData(what, value);
    default:
      return value;
  }
}

function objectToPortable(value: object, what: string, depth: number): unknown {
  if (depth > DEPTH_MAX) throw new NotPlainData(what, value);
  const inner = (part: unknown): unknown => toPortable(part, what, depth + 1);
  if (Array.isArray(value)) return value.map(inner);
  if (value instanceof Map) return { $map: [...value].map((entry) => entry.map(inner)) };
  if (value instanceof Set) return { $set: [...value].map(inner) };
  if (!isPlainObject(value)) throw new NotPlainData(what, value);
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, field]): [string, unknown] => [key, inner(field)]);
  const portable = Object.fromEntries(fields);
  return isTagged(portable) ? { $object: fields } : portable;
}

export function fromPortable(portable: unknown): unknown {
  if (typeof portable !== 'object' || portable === null) return portable;
  if (Array.isArray(portable)) return portable.map(fromPortable);
  if (isTagged(portable)) return untag(portable);
  return Object.fromEntries(Object.entries(portable).map(([key, field]) => [key, fromPortable(field)]));
}

/** An object whose only key starts with `$`: ours, or a user's that must not be taken for ours. */
function isTagged(portable: object): portable is Record<string, unknown> {
  const keys = Object.keys(portable);
  return keys.length === 1 && keys[0]?.startsWith('$') === true;
}

function untag(tagged: Record<string, unknown>): unknown {
  const entries = Object.entries(tagged)[0] as [string, unknown];
  const [tag, content] = entries;
  const list = Array.isArray(content) ? (content as unknown[]) : [];
  switch (tag) {
    case '$number':
      return Number(content);
    case '$bigint':
      return BigInt(String(content));
    case '$undefined':
      return undefined;
    case '$map':
      return new Map(list.map((entry) => fromPortable(entry) as [unknown, unknown]));
    case '$set':
      return new Set(list.map(fromPortable));
    case '$object':
      return Object.fromEntries(list.map((entry) => fromPortable(entry) as [string, unknown]));
    default:
      return tagged;
  }
}

/** The text of plain data in which equal data is equal text. */
export const portableText = (value: unknown, what: string): string => JSON.stringify(toPortable(value, what));

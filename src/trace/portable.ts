import { adopted, DEPTH_MAX, isPlainObject, NotPlainData } from './plain-data.ts';

/**
 * Plain data as JSON, and back, without loss: what JSON cannot say is written as an object with one key, a `$` and a name.
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
  if (depth > 0) return partsToPortable(value, what, depth);
  try {
    return partsToPortable(value, what, depth);
  } catch (error) {
    // Of the whole, so that it says where the odd thing is.
    throw error instanceof NotPlainData ? new NotPlainData(what, value) : error;
  }
}

function partsToPortable(value: object, what: string, depth: number): unknown {
  if (depth > DEPTH_MAX) throw new NotPlainData(what, value);
  const inner = (part: unknown): unknown => toPortable(part, what, depth + 1);
  if (Array.isArray(value)) return value.map(inner);
  if (value instanceof Map) return { $map: [...value].map((entry) => entry.map(inner)) };
  if (value instanceof Set) return { $set: [...value].map(inner) };
  if (!isPlainObject(value)) {
    const own = adopted(value);
    if (own === undefined) throw new NotPlainData(what, value);
    return objectToPortable(own, what, depth);
  }
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, field]): [string, unknown] => [key, inner(field)]);
  const portable = Object.fromEntries(fields);
  return markOf(portable) === undefined ? portable : { $object: fields };
}

export function fromPortable(portable: unknown): unknown {
  if (typeof portable !== 'object' || portable === null) return portable;
  if (Array.isArray(portable)) return portable.map(fromPortable);
  const mark = markOf(portable);
  if (mark !== undefined) return unmark(mark, (portable as Record<string, unknown>)[mark], portable);
  return Object.fromEntries(Object.entries(portable).map(([key, field]) => [key, fromPortable(field)]));
}

/** The `$` key of what JSON cannot say. Objects of users that have such keys are marked themselves. */
export function markOf(portable: unknown): string | undefined {
  if (typeof portable !== 'object' || portable === null) return undefined;
  return Object.keys(portable).find((key) => key.startsWith('$'));
}

function unmark(mark: string, content: unknown, marked: unknown): unknown {
  const list = Array.isArray(content) ? (content as unknown[]) : [];
  switch (mark) {
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
      return marked;
  }
}

/** The text of plain data in which equal data is equal text. */
export const portableText = (value: unknown, what: string): string => JSON.stringify(toPortable(value, what));

import { markOf, portableText, toPortable } from '../../trace/json-encoding.ts';

/** A text of plain data that is equal for equal data. Unlike in traces, the order of a Map or Set does not count. */
export function canonicalText(value: unknown, what: string): string {
  if (typeof value !== 'object' || value === null) return portableText(value, what);
  return JSON.stringify(unordered(toPortable(value, what)));
}

export function sameData(a: unknown, b: unknown, what: string): boolean {
  if (a === b) return true;
  return typeof a === typeof b && canonicalText(a, what) === canonicalText(b, what);
}

function unordered(portable: unknown): unknown {
  if (typeof portable !== 'object' || portable === null) return portable;
  if (Array.isArray(portable)) return portable.map(unordered);
  const mark = markOf(portable);
  const fields = Object.entries(portable).map(([key, inner]) => [key, unordered(inner)] as const);
  return Object.fromEntries(mark === '$map' || mark === '$set' ? fields.map(sorted) : fields);
}

const sorted = ([mark, content]: readonly [string, unknown]): [string, string[]] => [
  mark,
  (content as unknown[]).map((part) => JSON.stringify(part)).sort(),
];

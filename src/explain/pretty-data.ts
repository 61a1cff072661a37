import { markOf } from '../trace/json-encoding.ts';
import { whole } from './brief.ts';

/** Writes portable data completely: on one line if it fits, otherwise one part per line, with nested parts indented. */
export function prettyLines(value: unknown, width: number): string[] {
  const line = whole(value);
  const parts = partsOf(value);
  if (line.length <= width || parts.length === 0) return line.split('\n');
  return parts.flatMap(([name, inner]) => {
    const [first = '', ...more] = prettyLines(inner, Math.max(WIDTH_MIN, width - name.length - 2));
    if (more.length === 0) return [`${name}: ${first}`];
    return [`${name}:`, ...prettyLines(inner, Math.max(WIDTH_MIN, width - 2)).map((part) => `  ${part}`)];
  });
}

/** The minimum width; narrower data is not broken further. */
const WIDTH_MIN = 20;

/** The part that a path such as `log.0.term` leads to, or the parts that exist where the path ends. */
export function partAt(value: unknown, path: string): { readonly found: unknown } | { readonly missing: string } {
  let found = value;
  for (const [at, step] of path.split('.').entries()) {
    const parts = partsOf(found);
    const part = parts.find(([name]) => name === step);
    if (part === undefined) {
      const where = path.split('.').slice(0, at).join('.');
      const names = parts.map(([name]) => name).join(', ');
      return { missing: `${where === '' ? 'it' : where} has ${names === '' ? 'no parts' : names}` };
    }
    [, found] = part;
  }
  return { found };
}

/** The parts of a value by name. The name of a map entry is its key as text. */
function partsOf(value: unknown): (readonly [name: string, inner: unknown])[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.map((inner, at) => [String(at), inner]);
  switch (markOf(value)) {
    case undefined:
      return Object.entries(value);
    case '$map':
      return (value as { $map: [unknown, unknown][] }).$map.map(([key, inner]) => [whole(key), inner]);
    case '$set':
      return (value as { $set: unknown[] }).$set.map((inner, at) => [String(at), inner]);
    case '$object':
      return (value as { $object: [string, unknown][] }).$object;
    default:
      return [];
  }
}

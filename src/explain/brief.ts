import { markOf } from '../trace/json-encoding.ts';

/** Longer texts are cut. */
const TEXT_MAX = 60;

/** Writes portable data in a few characters, without JSON's quotes. */
export function brief(value: unknown): string {
  const text = write(value);
  return text.length <= TEXT_MAX ? text : `${text.slice(0, TEXT_MAX - 1)}…`;
}

/** The same without a limit on the length. */
export const whole = (value: unknown): string => write(value);

function write(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return `[${value.map(write).join(', ')}]`;
  const mark = markOf(value);
  if (mark !== undefined) return writeMarked(mark, (value as Record<string, unknown>)[mark]);
  return writeFields(Object.entries(value));
}

const writeFields = (fields: readonly (readonly [string, unknown])[]): string =>
  `{${fields.map(([key, inner]) => `${key}: ${write(inner)}`).join(', ')}}`;

/** Another occurrence of an object: `= jobs.0`. */
const sameAs = (pointer: string): string =>
  pointer === ''
    ? '= itself'
    : `= ${pointer.slice(1).replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~')}`;

/** Data that JSON has no notation for: see `trace/json-encoding.ts`. */
function writeMarked(mark: string, content: unknown): string {
  switch (mark) {
    case '$map':
      return `{${(content as [unknown, unknown][]).map(([key, inner]) => `${write(key)} → ${write(inner)}`).join(', ')}}`;
    case '$set':
      return `{${(content as unknown[]).map(write).join(', ')}}`;
    case '$bigint':
      return `${String(content)}n`;
    case '$undefined':
      return 'undefined';
    case '$hole':
      return 'empty';
    case '$same':
      return sameAs(String(content));
    case '$object':
      return writeFields(content as [string, unknown][]);
    default:
      return write(content);
  }
}

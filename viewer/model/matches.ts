import type { EventLine } from 'culprit/trace';
import type { Execution } from './execution.ts';
import { onOneLine } from './written.ts';

/** `term=2`, `entries.0.term = 3`: a field, and its value. */
const FIELD = /^\s*(?<field>[\w.-]+)\s*=\s*(?<value>.+?)\s*$/;

/** The events that match a search: those with this field in a message or a change, or those with this text. */
export function matchesIn(execution: Execution, query: string): number[] {
  const { field, value = '' } = FIELD.exec(query)?.groups ?? {};
  const byField = field === undefined ? [] : indicesOf(execution.events, (line) => hasField(line, field, value));
  if (byField.length > 0) return byField;
  const text = query.trim().toLowerCase();
  return indicesOf(execution.searched, (searched) => searched.includes(text));
}

const indicesOf = <T>(all: readonly T[], isMatch: (one: T) => boolean): number[] =>
  all.flatMap((one, at) => (isMatch(one) ? at : []));

function hasField(line: EventLine, field: string, value: string): boolean {
  const path = field.split('.');
  const data = ['message', 'payload', 'args', 'value'].flatMap((name) =>
    name in line ? (line as unknown as Record<string, unknown>)[name] : [],
  );
  return (
    data.some((part) => isIn(part, path, value)) ||
    (line.changes ?? []).some(([pointer, , after]) => isIn(within(pointer, after), path, value))
  );
}

/** The value as part of the objects that lead to it. */
const within = (pointer: string, value: unknown): unknown =>
  pointer
    .split('/')
    .slice(1)
    .reduceRight(
      (inner, key) => ({ [key.replaceAll('~1', '/').replaceAll('~0', '~').replaceAll('"', '')]: inner }),
      value,
    );

/** Whether a path leads to the value, from anywhere in the data. */
function isIn(data: unknown, path: readonly string[], value: string): boolean {
  if (typeof data !== 'object' || data === null) return false;
  const [first = '', ...rest] = path;
  return Object.entries(data).some(([key, inner]) => {
    const isHere = key === first && (rest.length === 0 ? isValue(inner, value) : isAt(inner, rest, value));
    return isHere || isIn(inner, path, value);
  });
}

/** Whether the path leads to the value from here. */
function isAt(data: unknown, [first = '', ...rest]: readonly string[], value: string): boolean {
  if (typeof data !== 'object' || data === null || !Object.hasOwn(data, first)) return false;
  const inner = (data as Record<string, unknown>)[first];
  return rest.length === 0 ? isValue(inner, value) : isAt(inner, rest, value);
}

const isValue = (data: unknown, value: string): boolean =>
  onOneLine(data).replaceAll('"', '') === value.replaceAll('"', '');

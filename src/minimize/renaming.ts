import { digestText, hex } from '../trace/digest.ts';
import type { Event } from '../trace/event.ts';
import type { Violated } from '../trace/verdict.ts';
import { isPlainObject, setOwn } from '../trace/plain-data.ts';
import { defaultFingerprint, isDefault } from './same-bug.ts';

/** New names of processes, by their old ones. */
export type Renaming = ReadonlyMap<string, string>;

/** The event as it would be if the processes had these names. */
export function renamedEvent<E extends Event>(event: E, names: Renaming): E {
  const fields = Object.entries<unknown>({ ...event }).map(([field, value]): [string, unknown] => [
    field,
    NO_NAMES.has(field) ? value : renamedData(value, names),
  ]);
  return { ...(Object.fromEntries(fields) as unknown as E), ...digestText([hex(event), ...names].join(' ')) };
}

/** What may be called like a process and is none. */
const NO_NAMES: ReadonlySet<string> = new Set(['kind', 'of', 'action', 'operation', 'target']);

/** The same data with other names wherever one stands, also as a key. */
function renamedData(value: unknown, names: Renaming): unknown {
  const inner = (part: unknown): unknown => renamedData(part, names);
  if (typeof value === 'string') return renamedText(value, names);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(inner);
  if (value instanceof Map) return new Map([...value].map(([key, part]) => [inner(key), inner(part)]));
  if (value instanceof Set) return new Set([...value].map(inner));
  if (!isPlainObject(value)) return value;
  const renamed: Record<string, unknown> = {};
  for (const [key, part] of Object.entries(value)) setOwn(renamed, renamedText(key, names), inner(part));
  return renamed;
}

/** Who is spawned is called after its parent. */
function renamedText(text: string, names: Renaming): string {
  const [parent = '', ...rest] = text.split('/');
  const name = names.get(parent);
  return name === undefined ? text : [name, ...rest].join('/');
}

/** The violation as it would be; a fingerprint of the user's own stays. */
export function renamedViolation(violation: Violated, names: Renaming): Violated {
  const processes = violation.processes.map((name) => renamedText(name, names));
  const renamed = { ...violation, processes };
  return isDefault(violation) ? { ...renamed, fingerprint: defaultFingerprint(renamed) } : renamed;
}

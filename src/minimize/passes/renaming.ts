import { digestText, hex } from '../../trace/digest.ts';
import type { Event } from '../../trace/event.ts';
import type { Violated } from '../../trace/verdict.ts';
import { rewritten } from './rewritten.ts';
import { defaultFingerprint, isDefault } from '../../execution/same-bug.ts';

/** New names of processes, by their old ones. */
export type Renaming = ReadonlyMap<string, string>;

/** The event as it would be if the processes had these names. */
export function renamedEvent<E extends Event>(event: E, names: Renaming): E {
  const fields = Object.entries<unknown>({ ...event }).map(([field, value]): [string, unknown] => [
    field,
    NO_NAMES.has(field) ? value : rewritten(value, { text: (text) => renamedText(text, names) }),
  ]);
  return { ...(Object.fromEntries(fields) as unknown as E), ...digestText([hex(event), ...names].join(' ')) };
}

/** What may be called like a process and is none. */
const NO_NAMES: ReadonlySet<string> = new Set(['kind', 'of', 'action', 'operation', 'target']);

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

import { digestText, hex } from '../../trace/digest.ts';
import type { Event } from '../../trace/event.ts';
import type { Violated } from '../../trace/verdict.ts';
import { rewritten } from './rewritten.ts';
import { defaultFingerprint, isDefault } from '../../execution/same-bug.ts';

/** New names of processes by old name. */
export type Renaming = ReadonlyMap<string, string>;

/** The event as it would be with these names. */
export function renamedEvent<E extends Event>(event: E, names: Renaming): E {
  const fields = Object.entries<unknown>({ ...event }).map(([field, value]): [string, unknown] => [
    field,
    NO_NAMES.has(field) ? value : rewritten(value, { text: (text) => renamedText(text, names) }),
  ]);
  return { ...(Object.fromEntries(fields) as unknown as E), ...digestText([hex(event), ...names].join(' ')) };
}

/** Fields that are not names of processes, but may look like them. */
const NO_NAMES: ReadonlySet<string> = new Set(['kind', 'of', 'action', 'operation', 'target']);

/** A spawned process is named after its parent. */
function renamedText(text: string, names: Renaming): string {
  const [parent = '', ...rest] = text.split('/');
  const name = names.get(parent);
  return name === undefined ? text : [name, ...rest].join('/');
}

/** The violation with these names; a fingerprint chosen by the user stays. */
export function renamedViolation(violation: Violated, names: Renaming): Violated {
  const processes = violation.processes.map((name) => renamedText(name, names));
  const renamed = { ...violation, processes };
  return isDefault(violation) ? { ...renamed, fingerprint: defaultFingerprint(renamed) } : renamed;
}

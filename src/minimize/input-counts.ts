import type { Event } from '../trace/event.ts';
import { externalGroups } from './passes/groups.ts';
import type { Rules } from './rules.ts';

/** How many inputs an execution has: what the environment does, without the starts of processes, waits, and what must stay. */
export interface InputCounts {
  readonly inputs: number;
  /** Groups that are kept or dropped together, such as a failure and its recovery. */
  readonly atoms: number;
}

export function inputCounts(events: readonly Event[], rules: Rules): InputCounts {
  const keeps = (event: Event): boolean => event.kind === 'start' || event.kind === 'wait' || rules.keeps(event);
  const groups = externalGroups(events, { ...rules, keeps });
  return { inputs: groups.flat().length, atoms: groups.length };
}

import type { Event } from '../trace/event.ts';
import { externalGroups, isOwn } from './passes/groups.ts';
import type { Rules } from './rules.ts';

/** How many inputs an execution has: what the environment does, without the starts of processes. */
export interface InputCounts {
  readonly inputs: number;
  /** Groups that are kept or dropped together, such as a failure and its recovery. Inputs that are always kept are in none. */
  readonly atoms: number;
}

export function inputCounts(events: readonly Event[], rules: Rules): InputCounts {
  const isInput = (event: Event): boolean => isOwn(event, events) && event.kind !== 'start';
  return {
    inputs: events.filter(isInput).length,
    atoms: externalGroups(events, rules).filter((group) => group.some((at) => isInput(events[at] as Event))).length,
  };
}

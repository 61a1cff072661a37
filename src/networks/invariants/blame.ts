import type { Session } from '../../kernel/ports.ts';
import type { Event } from '../../trace/event.ts';
import type { Hop } from '../header-space/hops.ts';
import type { FlowMod } from '../openflow/messages.ts';
import type { FlowEntry } from '../switch/flow-table.ts';
import { covers, normalMatch } from '../switch/matching.ts';

/** The flow_mod that made the youngest entry on a way. */
export interface Blame {
  readonly switch: string;
  readonly entry: Pick<FlowEntry, 'match' | 'priority' | 'actions' | 'cookie'>;
  /** The number of the event that delivered the flow_mod, counting from 1; left out if the execution does not show it. */
  readonly event?: number;
}

export function blameOf(hops: readonly Hop[], session: Session | undefined): Blame | undefined {
  const found = hops.map(({ at, rule }) => ({
    name: at.name,
    entry: rule.entry,
    index: installedAt(session, at.name, rule.entry),
  }));
  const youngest = found.toSorted((a, b) => b.index - a.index || b.entry.modifiedAtMs - a.entry.modifiedAtMs)[0];
  if (youngest === undefined) return undefined;
  const { match, priority, actions, cookie } = youngest.entry;
  return {
    switch: youngest.name,
    entry: { match, priority, actions, cookie },
    ...(youngest.index < 0 ? {} : { event: youngest.index + 1 }),
  };
}

/** The place in the recording of the last flow_mod that gave the entry its actions; -1 if there is none. */
function installedAt(session: Session | undefined, name: string, entry: FlowEntry): number {
  if (session === undefined) return -1;
  return session.recording.events.since(0).findLastIndex((event) => isInstalling(event, name, entry));
}

function isInstalling(event: Event, name: string, entry: FlowEntry): boolean {
  if (event.kind !== 'deliver' || event.process !== name) return false;
  const message = event.message as Partial<FlowMod> | null;
  if (typeof message !== 'object' || message?.type !== 'flow_mod' || message.match === undefined) return false;
  const isSameAction = JSON.stringify(message.actions) === JSON.stringify(entry.actions);
  return isSameAction && covers(normalMatch(message.match), entry.match);
}

import { conditionText, isMet, isPacing, type PlanItem } from '../../system/workload.ts';
import type { World } from '../../kernel/world.ts';
import type { EndedWait } from '../../trace/event.ts';

/** What a wait of the workload awaits, as far as a replay can see whether it is so. */
type Awaited = { readonly quietMs: number } | { readonly holds: (world: World) => boolean };

/** Finds what a recorded wait awaits; undefined if the system does not say it any more, or if it is a matter of counting. */
export type FindAwaited = (wait: EndedWait) => Awaited | undefined;

/** Finds it in the workload of the system as it is now, by the text of the condition. */
export function awaitedIn(itemsOf: () => readonly PlanItem[], quietMs: number): FindAwaited {
  let known: ReadonlyMap<string, Awaited> | undefined;
  return ({ condition }) => (known ??= awaitedByText(itemsOf(), quietMs)).get(condition);
}

function awaitedByText(items: readonly PlanItem[], quietMs: number): ReadonlyMap<string, Awaited> {
  const found = new Map<string, Awaited>();
  for (const item of items) {
    if (item.kind !== 'until' || isPacing(item) || item.awaits === 'deliveries') continue;
    const text = conditionText(item, items);
    if (found.has(text)) continue;
    const who = (): string => `until(…) with the condition "${text}"`;
    found.set(text, item.awaits === 'quiet' ? { quietMs } : { holds: (world) => isMet(item, world, who) });
  }
  return found;
}

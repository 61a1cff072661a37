import { noFaults, type Action, type Declaration } from '../kernel/declaration.ts';
import { isConsequence, isInternal, type Event, type External } from '../trace/event.ts';
import { isExternal } from '../kernel/user-code/answer.ts';
import type { ResolvedHints } from './hints.ts';

/** Faults are what a system must survive; the rest of the externals is its work. */
const faultKinds: ReadonlySet<string> = new Set<External['kind']>([
  'crash',
  'stop',
  'restart',
  'cut',
  'heal',
  'lose',
  'duplicate',
  'hold',
  'delay',
  'pause',
  'resume',
]);

/** How a system says which of its own externals are faults: something fails by them, or recovers. */
export type FaultHints = Pick<ResolvedHints, 'fails' | 'recovers'>;

/** Whether the external is a fault: by its kind, or because the system says so. */
export const isFault = (external: External, { fails, recovers }: FaultHints): boolean =>
  faultKinds.has(external.kind) || fails(external) !== undefined || recovers(external) !== undefined;

/** The indices of the faults, and of the actions that bring one about. */
export function faultsIn(events: readonly Event[], hints: FaultHints): ReadonlySet<number> {
  const found = new Set<number>();
  for (const [at, event] of events.entries()) {
    if (isInternal(event) || !isFault(event, hints)) continue;
    found.add(at);
    // An action may be part of another one.
    for (let part: Event | undefined = event; part !== undefined && isConsequence(part, events);) {
      found.add(part.cause);
      part = events[part.cause];
    }
  }
  return found;
}

/** The same events without the faults. An action that brings a fault about is left out with all its consequences. */
export function withoutFaults(events: readonly Event[], hints: FaultHints): readonly Event[] {
  const dropped = new Set(faultsIn(events, hints));
  for (const [at, event] of events.entries())
    if (isConsequence(event, events) && dropped.has(event.cause)) dropped.add(at);
  return dropped.size === 0 ? events : events.filter((_event, at) => !dropped.has(at));
}

/** The same declaration with no faults to inject, and without actions that bring one about: they cannot happen. */
export const withoutFaultsOf = (declaration: Declaration, hints: FaultHints): Declaration => ({
  ...declaration,
  faults: noFaults,
  actions: new Map([...declaration.actions].map(([name, action]) => [name, faultless(action, declaration, hints)])),
});

const faultless =
  (action: Action, { actions }: Declaration, hints: FaultHints): Action =>
  (world, payload) => {
    const hasFault = (parts: unknown): boolean =>
      Array.isArray(parts) &&
      parts.some((part) => {
        // The kernel refuses an answer that is no list of externals.
        if (!isExternal(part)) return false;
        const nested = part.kind === 'act' ? actions.get(part.action) : undefined;
        return isFault(part, hints) || (nested !== undefined && hasFault(nested(world, payloadOf(part))));
      });
    const parts = action(world, payload);
    return hasFault(parts) ? null : parts;
  };

const payloadOf = (external: External): never => (external.kind === 'act' ? external.payload : undefined) as never;

import type { Event } from '../trace/event.ts';

/** Faults are what a system must survive; the rest of the externals is its work. */
const faultKinds: ReadonlySet<string> = new Set([
  'crash',
  'restart',
  'cut',
  'heal',
  'lose',
  'duplicate',
  'hold',
  'pause',
  'resume',
]);

export const isFault = ({ kind }: { readonly kind: string }): boolean => faultKinds.has(kind);

/** The same events without the faults. */
export const withoutFaults = (events: readonly Event[]): readonly Event[] => events.filter((event) => !isFault(event));

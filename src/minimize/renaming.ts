import { digestText, mixHi, mixLo } from '../trace/digest.ts';
import type { Event } from '../trace/event.ts';

/** What each process is called instead. */
export type Names = ReadonlyMap<string, string>;

/** The event as if processes had other names, wherever it says their names. It is another event then. */
export function renamed(event: Event, names: Names): Event {
  const { hi, lo } = event;
  const { hi: byHi, lo: byLo } = digestText([...names].flat().join(' '));
  return { ...(inData(event, names) as Event), hi: mixHi(hi, byHi), lo: mixLo(lo, byLo) };
}

function inData(value: unknown, names: Names): unknown {
  if (typeof value === 'string') return names.get(value) ?? value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => inData(item, names));
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [names.get(name) ?? name, inData(field, names)]));
}

import { readFileSync } from 'node:fs';
import { search } from 'culprit';
import { writeTrace, type Trace } from 'culprit/trace';
import lock from '../../../cases/lock/lock.system.ts';
import everything from '../../trace/everything.system.ts';
import type { Original } from './commands.ts';

/** Number of events to keep of the longer execution, with a hold near the end: mutants of a short trace are faster. */
const EVENTS = 76;

/** A trace that replays, and one with many kinds of events and all kinds of data. */
export async function originals(): Promise<readonly Original[]> {
  const { findings } = await search(everything, { eventsMax: 2_000 });
  const { trace } = findings[0] as { trace: Trace };
  return [
    { system: lock, text: readFileSync(new URL('../../trace/lock-1.0.trace', import.meta.url), 'utf8') },
    { system: everything, text: writeTrace(beginning(trace)) },
  ];
}

const beginning = ({ header, events, pending, verdict }: Trace): Trace => ({
  header: { ...header, events: EVENTS },
  events: events.slice(0, EVENTS),
  pending: pending.filter(({ cause }) => cause <= EVENTS),
  verdict,
});

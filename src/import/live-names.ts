import { ChannelIdentities } from '../kernel/uncontrolled/identity.ts';
import { networkFingerprint } from '../networks/fingerprint/fingerprint.ts';
import { eventOf } from '../trace/codec.ts';
import { hex } from '../trace/digest.ts';
import { ENVIRONMENT, isInternal, type Event, type Internal } from '../trace/event.ts';
import type { EventLine, Trace } from '../trace/format.ts';

/**
 * The same execution as if its controllers had been programs: events have times, and names by their channels. A message of a controller is caused by
 * the last event of that controller before it arrives.
 */
export function asLive(trace: Trace, times: readonly number[], isController: (name: string) => boolean): Trace {
  const caused = trace.events.map((line, at) => withCause(line, at, trace.events, isController));
  const names = namesOf(caused.map(eventOf));
  const events = caused.map((line, at) => ({
    ...line,
    id: names[at] as string,
    atMs: times[at] as number,
    ...('sentMs' in line ? { sentMs: times[line.cause - 1] ?? 0 } : {}),
  }));
  // What a mock did not get rid of never existed.
  const pending = trace.pending.filter((line) => !('from' in line) || !isController(line.from));
  return { ...trace, events, pending };
}

function withCause(
  line: EventLine,
  at: number,
  events: readonly EventLine[],
  isController: (name: string) => boolean,
): EventLine {
  if (line.kind !== 'deliver' || !isController(line.from)) return line;
  return { ...line, cause: events.slice(0, at).findLastIndex(({ process }) => process === line.from) + 1 };
}

/** Names events in the order in which they were made, as a session with programs does. */
export function namesOf(events: readonly Event[]): string[] {
  const identities = new ChannelIdentities(networkFingerprint());
  const names = events.map(hex);
  const made = new Map<number, number[]>();
  for (const [at, event] of events.entries())
    if (isNamed(event)) made.set(event.cause, [...(made.get(event.cause) ?? []), at]);
  for (const [at, event] of events.entries()) {
    if (isInternal(event)) identities.delivers(event);
    else identities.happens(event, event);
    for (const child of made.get(at) ?? []) names[child] = hex(identities.next(events[child] as Internal));
  }
  return names;
}

/** What the environment sends has the name of the external. */
const isNamed = (event: Event): event is Internal =>
  isInternal(event) && (event.kind !== 'deliver' || event.from !== ENVIRONMENT);

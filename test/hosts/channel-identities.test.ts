import { ENVIRONMENT, hex, isInternal, type Event, type External } from 'culprit/trace';
import { expect, test } from 'vitest';
import { executedInTime, randomTicking } from '../twins/random-ticking.ts';

const SYSTEMS = 60;

const identities = (events: readonly Event[]): string[] =>
  events.map((event) => `${event.kind} ${event.process} ${hex(event)}`).sort();

const touches = (event: Event, process: string): boolean =>
  event.kind === 'cut' || event.kind === 'heal' ? event.links.flat().includes(process) : event.process === process;

/** Whether the process makes an event after this one, before the next external that touches it. */
function makesSomething(events: readonly Event[], at: number, process: string): boolean {
  const isNext = (event: Event, later: number): boolean => later > at && isTouch(event, process);
  const end = events.findIndex(isNext);
  return events.some(
    (event) => 'from' in event && event.from === process && event.cause >= at && (end < 0 || event.cause < end),
  );
}

/** Whether the external, or its message, happens to the process here. */
const isTouch = (event: Event, process: string): boolean =>
  event.kind === 'deliver'
    ? event.process === process && event.from === ENVIRONMENT
    : event.kind !== 'send' && !isInternal(event) && touches(event, process);

test('equal executions have equal identities and names', async () => {
  for (let seed = 1; seed <= SYSTEMS; seed++) {
    const { system, workload } = randomTicking(seed);
    const [one, other] = [await executedInTime(system, workload), await executedInTime(system, workload)];
    expect(other.events.map(hex)).toEqual(one.events.map(hex));
    expect(other.name).toBe(one.name);
  }
});

test('no two events of an execution have the same identity', async () => {
  for (let seed = 1; seed <= SYSTEMS; seed++) {
    const { system, workload } = randomTicking(seed);
    const all = identities((await executedInTime(system, workload)).events);
    expect(new Set(all).size).toBe(all.length);
  }
});

test('leaving out an input after which its process makes nothing leaves every other identity as it was', async () => {
  let pruned = 0;
  for (let seed = 1; seed <= SYSTEMS; seed++) {
    const { system, workload } = randomTicking(seed);
    const { events } = await executedInTime(system, workload);
    for (const [at, external] of workload.entries()) {
      if (external.kind !== 'send' || (external.message as { hops: number }).hops > 0) continue;
      // The second of two equal inputs has the name of the first where that is left out.
      if (workload.slice(at + 1).some((later) => isEqual(later, external))) continue;
      const sent = events.findIndex((event) => event.kind === 'send' && isSame(event, external, workload, at, events));
      const delivered = events.findIndex(({ cause, kind }) => kind === 'deliver' && cause === sent);
      if (sent < 0 || delivered < 0 || makesSomething(events, delivered, external.to)) continue;
      const rest = events.filter((_, place) => place !== sent && place !== delivered);
      const without = await executedInTime(system, workload, [at]);
      expect({ seed, at, left: identities(without.events) }).toEqual({ seed, at, left: identities(rest) });
      pruned += 1;
    }
  }
  expect(pruned).toBeGreaterThan(10);
});

const isEqual = (one: External, other: External): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Whether the event is the external at this place of the workload: the externals that can happen do so in order. */
function isSame(
  event: Event & { kind: 'send' },
  external: External & { kind: 'send' },
  workload: readonly External[],
  at: number,
  events: readonly Event[],
): boolean {
  const nth = workload.slice(0, at).filter(({ kind }) => kind === 'send').length;
  return events.filter(({ kind }) => kind === 'send')[nth] === event && event.to === external.to;
}

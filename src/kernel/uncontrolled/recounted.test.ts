import { expect, test } from 'vitest';
import { executedInTime, randomTicking } from '../../../test/twins/random-ticking.ts';
import { hex } from '../../trace/digest.ts';
import { comparableContent } from '../../trace/event-subject.ts';
import { isInternal, type Event, type External } from '../../trace/event.ts';
import { recounted } from './recounted.ts';

const SYSTEMS = 60;

const wordsOf = (event: Event): string => JSON.stringify([event.process, ...comparableContent(event)]);

/** The recorded events that the other execution has as well, each as often as there. */
function common(recording: readonly Event[], other: readonly Event[]): readonly Event[] {
  const left = [...other];
  return recording.filter((event) => {
    const at = left.findIndex((now) => wordsOf(now) === wordsOf(event) && isAtSameTime(now, event));
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
}

/** On the fake clock, an event more or less makes a small difference. */
const isAtSameTime = (one: Event, other: Event): boolean => Math.abs((one.atMs ?? 0) - (other.atMs ?? 0)) <= 3;

const nameOf = (event: Event): string => `${wordsOf(event)} ${hex(event)}`;

/** How many of these events have a name that the execution has not. */
function unknownIn(now: readonly Event[], events: readonly Event[]): number {
  const names = new Set(now.map(nameOf));
  return events.filter((event) => !names.has(nameOf(event))).length;
}

const fingerprint = (message: unknown): unknown => message;

/** Executes random systems without each of their externals in turn, and counts names that are wrong. */
async function wrongNames(
  isTried: (external: External) => boolean,
): Promise<{ of: number; before: number; now: number }> {
  const wrong = { of: 0, before: 0, now: 0 };
  for (let seed = 1; seed <= SYSTEMS; seed++) {
    const { system, workload } = randomTicking(seed);
    const { events } = await executedInTime(system, workload);
    for (const [at, external] of workload.entries()) {
      if (!isTried(external)) continue;
      const now = (await executedInTime(system, workload, [at])).events;
      const part = common(events, now);
      wrong.of += part.length;
      wrong.before += unknownIn(now, part);
      wrong.now += unknownIn(now, recounted(events, part, fingerprint).events);
    }
  }
  return wrong;
}

test('without an input that causes no message, all other events are named as they are then', async () => {
  const causesNothing = (external: External): boolean =>
    external.kind === 'send' && (external.message as { hops: number }).hops === 0;
  expect(await wrongNames(causesNothing)).toEqual({ of: 2419, before: 50, now: 0 });
});

test('without any other external, nearly all events are; the order in which they were made is not always known', async () => {
  expect(await wrongNames(() => true)).toEqual({ of: 17_637, before: 570, now: 24 });
});

test('all of a recording keeps its names', async () => {
  const { system, workload } = randomTicking(3);
  const { events } = await executedInTime(system, workload);
  expect(events.filter(isInternal).length).toBeGreaterThan(10);
  expect(recounted(events, events, fingerprint).events).toBe(events);
});

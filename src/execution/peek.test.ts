import { expect, test } from 'vitest';
import { executedInTime, randomTicking } from '../../test/twins/random-ticking.ts';
import { HANDLER_MS } from '../kernel/drive.ts';
import { defineSystem } from '../system/define-system.ts';
import type { System } from '../system/definition.ts';
import { resolveSystem } from '../system/resolve.ts';
import { comparableContent } from '../trace/event-subject.ts';
import { isInternal, type Event } from '../trace/event.ts';
import type { Origin } from './record.ts';
import { WaitingReplays } from './waiting-replay.ts';

const SYSTEMS = 5;

const wordsOf = (event: Event): string => JSON.stringify([event.process, ...comparableContent(event)]);

const originOf = (system: System): Origin => ({
  system: resolveSystem(defineSystem({ ...system.define({}), waiting: { peek: 'replay' } })),
  module: undefined,
  seed: 1,
  strategy: 'random',
  eventsMax: 1000,
  handlerMs: HANDLER_MS,
});

/** What peek leaves of a schedule. */
const inferred = async (
  replays: WaitingReplays,
  schedule: readonly Event[],
  recording: readonly Event[],
): Promise<readonly Event[]> => (await replays.replay(schedule, recording, (events) => Promise.resolve(events))).result;

/** By brute force: the recorded events that an execution without the input has, too, each as often as there. */
function appearing(recording: readonly Event[], now: readonly Event[]): readonly string[] {
  const left = now.map(wordsOf);
  return recording
    .map(wordsOf)
    .filter((words) => left.includes(words) && left.splice(left.indexOf(words), 1).length > 0)
    .sort();
}

test('peek finds the events that still appear, and remembers prefixes without a difference', async () => {
  const counts = { candidates: 0, appear: 0, absent: 0, wrong: 0, peeks: 0, withoutMemory: 0 };
  for (let seed = 1; seed <= SYSTEMS; seed++) {
    const { system, workload } = randomTicking(seed);
    const { events: recording } = await executedInTime(system, workload);
    const origin = originOf(system);
    const remembering = WaitingReplays.of(origin) as WaitingReplays;
    const sends = recording.filter(({ kind }) => kind === 'send');
    for (const [nth, send] of sends.entries()) {
      const schedule = recording.filter((event) => event !== send);
      const fresh = WaitingReplays.of(origin) as WaitingReplays;
      const found = await inferred(remembering, schedule, recording);
      expect(await inferred(fresh, schedule, recording)).toEqual(found);
      const at =
        workload.map(({ kind }, place) => (kind === 'send' ? place : -1)).filter((place) => place >= 0)[nth] ?? -1;
      const now = (await executedInTime(system, workload, [at])).events;
      const truth = appearing(recording, now);
      counts.candidates += 1;
      counts.appear += found.filter(isInternal).length;
      counts.absent += schedule.length - found.length;
      counts.wrong += difference(found.map(wordsOf).sort(), truth);
      counts.withoutMemory += fresh.counts.peeks;
    }
    counts.peeks += remembering.counts.peeks;
  }
  expect(counts).toEqual({ candidates: 32, appear: 629, absent: 86, wrong: 0, peeks: 170, withoutMemory: 279 });
});

/** How many entries of two sorted lists have no counterpart. */
function difference(one: readonly string[], other: readonly string[]): number {
  const left = [...other];
  const extra = one.filter((words) => !left.includes(words) || left.splice(left.indexOf(words), 1).length === 0);
  return extra.length + left.length;
}

import { expect, test } from 'vitest';
import { AppendOnly } from '../../kernel/data/append-only.ts';
import { Random } from '../../kernel/data/random.ts';
import { isInternal, type Deliver, type Event, type Internal } from '../../trace/event.ts';
import type { AppearanceSession } from './appearances-by-key.ts';
import { appearedMs, isReaction } from './appeared.ts';
import { RecordedOrder } from './recorded-order.ts';
import { RecordedSuccessors, type SuccessorOptions } from './too-late.ts';

const processes = ['p', 'q'] as const;

/** An event among others: an external, or one of few messages, so that many are alike, also of those that a program sends by itself. */
function drawn(random: Random, at: number): Event {
  const process = processes[random.below(2)] as string;
  const atMs = at * 20 + random.below(10);
  const names = { process, cause: random.below(at + 1) - 1, hi: 0, lo: at, atMs };
  if (random.below(4) === 0) return { kind: 'start', ...names };
  const from = processes[random.below(2)] as string;
  const sentMs = Math.max(0, atMs - random.below(60));
  return {
    kind: 'deliver',
    ...names,
    from,
    message: `m${random.below(2)}`,
    ask: 0,
    reply: 0,
    sentMs,
  } satisfies Deliver;
}

const drawnAll = (random: Random, length: number): Event[] =>
  Array.from({ length: 1 + random.below(length) }, (_, at) => drawn(random, at));

const keyOf = (event: Internal): string =>
  `${event.process} ${(event as Deliver).from} ${String((event as Deliver).message)}`;

/** The definition, word for word: for each recorded event that depends on the external, all that has appeared is counted. */
function haveAppeared(options: SuccessorOptions, at: number, session: AppearanceSession, dueMs: number): boolean {
  const { schedule, undelivered, order, passes, isMadeByItself } = options;
  const external = schedule[at] as Event;
  const happened = session.recording.events.since(0);
  const counts = (event: Internal): boolean => {
    const causedBy = happened[event.cause];
    const isByItself = isMadeByItself(event) && !(causedBy !== undefined && isReaction(event, causedBy));
    return isByItself || appearedMs(event, session.nowMs) >= dueMs;
  };
  const hadAppeared = (event: Event): boolean =>
    event.cause < order.placeOf(at) &&
    (!isMadeByItself(event as Internal) || (event as Deliver).sentMs <= (external.atMs ?? 0) + 0.5);
  return order.after(at).some((wanted) => {
    if (!isInternal(wanted) || passes(wanted) || (wanted as Deliver).sentMs < (external.atMs ?? 0)) return false;
    const isAlike = (event: Event): event is Internal => isInternal(event) && keyOf(event) === keyOf(wanted);
    const now = [...happened, ...session.world.pending].filter(isAlike);
    const before = schedule.filter((event, place) => isAlike(event) && (place < at || hadAppeared(event)));
    const never = undelivered.filter((event) => isAlike(event) && hadAppeared(event));
    return now.some(counts) && now.length > before.length + never.length;
  });
}

test('an external comes too late if the definition says so, at each of the externals of a replay', () => {
  const random = Random.seeded(7, 1);
  let [late, all] = [0, 0];
  for (let round = 0; round < 400; round++) {
    const recording = drawnAll(random, 14);
    const schedule = recording.filter(() => random.below(5) > 0);
    const undelivered = recording.filter((event): event is Deliver => isInternal(event) && random.below(6) === 0);
    const passing = random.below(3);
    const order = new RecordedOrder(recording, schedule);
    const options: SuccessorOptions = {
      schedule,
      undelivered: undelivered.filter((event) => !schedule.includes(event)),
      order,
      passes: (event) => isInternal(event) && (event as Deliver).message === `m${passing}`,
      keyOf,
      isMadeByItself: (event) => (event as Deliver).from === 'q',
    };
    const successors = new RecordedSuccessors(options);
    const replayed = drawnAll(random, 14);
    const events = AppendOnly.empty<Event>();
    for (const [nth, event] of replayed.entries()) {
      events.push(event);
      const nowMs = nth * 20 + 20;
      const pending = replayed
        .slice(nth + 1)
        .filter((later): later is Deliver => later.kind === 'deliver' && later.sentMs <= nowMs);
      const session = { recording: { events }, world: { pending }, nowMs };
      for (const [at, external] of schedule.entries()) {
        if (isInternal(external)) continue;
        const dueMs = random.below(300);
        const expected = haveAppeared(options, at, session, dueMs);
        expect(successors.haveAppeared(at, session, dueMs)).toBe(expected);
        all += 1;
        late += expected ? 1 : 0;
      }
    }
  }
  expect(late / all).toBeGreaterThan(0.05);
  expect(late / all).toBeLessThan(0.9);
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Deliver, Event } from '../trace/event.ts';
import { RecordedPace } from './recorded-pace.ts';

const delivery = (atMs: number, sentMs = 0): Deliver => ({
  kind: 'deliver',
  process: 'p',
  from: 'q',
  message: 'm',
  ask: 0,
  reply: 0,
  cause: -1,
  hi: 0,
  lo: 0,
  sentMs,
  atMs,
});

const timesIn = (events: readonly Event[], pace: RecordedPace): unknown[] =>
  events.map((event) => pace.retimed(event).atMs);

test('a slow replay gets the pace of its schedule, and what is not in the schedule takes the time that it took', () => {
  const schedule = [delivery(1), delivery(11), delivery(61)];
  const replay = [delivery(4), delivery(40), delivery(43), delivery(200)];
  const places = new Map([
    [0, 0],
    [1, 1],
    [3, 2],
  ]);
  expect(timesIn(replay, new RecordedPace(replay, schedule, places))).toEqual([1, 11, 14, 64]);
});

test('a message was sent between the same events as before', () => {
  const schedule = [delivery(0), delivery(10), delivery(20)];
  const replay = [delivery(0), delivery(100), delivery(200, 130)];
  const pace = new RecordedPace(replay, schedule, new Map([0, 1, 2].map((at) => [at, at])));
  expect(pace.retimed(replay[2] as Deliver)).toMatchObject({ sentMs: 20, atMs: 20 });
  expect(pace.retimed(delivery(103, 4))).toMatchObject({ sentMs: 4, atMs: 13 });
});

test('every gap is that of the schedule, also if the replay caught up after a delay', () => {
  const gaps = fc.array(fc.tuple(fc.nat(50), fc.nat(50)), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(gaps, (all) => {
      const happening = (which: 0 | 1): Deliver[] => {
        let atMs = 0;
        return all.map((gap) => delivery((atMs += gap[which])));
      };
      const [replay, schedule] = [happening(0), happening(1)];
      const pace = new RecordedPace(replay, schedule, new Map(replay.map((_, at) => [at, at])));
      let atMs = 0;
      expect(timesIn(replay, pace).at(-1)).toEqual(all.map((gap) => (atMs += gap[1])).at(-1));
    }),
    { seed: 1 },
  );
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ENVIRONMENT, type Deliver, type Event } from '../trace/event.ts';
import { ScheduleTimes } from '../schedule/replay/schedule-times.ts';
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

test('a slow replay gets the pace of its schedule, and what is not in the schedule takes no time of its own', () => {
  const schedule = [delivery(1), delivery(11), delivery(61)];
  const replay = [delivery(4), delivery(40), delivery(43), delivery(200)];
  const places = new Map([
    [0, 0],
    [1, 1],
    [3, 2],
  ]);
  expect(timesIn(replay, new RecordedPace(replay, new ScheduleTimes(schedule, schedule), places))).toEqual([
    1, 11, 14, 61,
  ]);
});

test('a message was sent between the same events as before', () => {
  const schedule = [delivery(0), delivery(10), delivery(20)];
  const replay = [delivery(0), delivery(100), delivery(200, 130)];
  const pace = new RecordedPace(
    replay,
    new ScheduleTimes(schedule, schedule),
    new Map([0, 1, 2].map((at) => [at, at])),
  );
  expect(pace.retimed(replay[2] as Deliver)).toMatchObject({ sentMs: 20, atMs: 20 });
  expect(pace.retimed(delivery(103, 4))).toMatchObject({ sentMs: 4, atMs: 13 });
});

describe('a wait of the workload', () => {
  const wait = (atMs: number, tookMs: number): Event => ({
    kind: 'wait',
    process: ENVIRONMENT,
    condition: 'it is so',
    tookMs,
    met: true,
    cause: -1,
    hi: 0,
    lo: 0,
    atMs,
  });
  const recording = [delivery(10), wait(510, 500), delivery(520)] as const;

  test('that the schedule leaves out takes its time with it', () => {
    const schedule = [recording[0], recording[2]];
    const replay = [delivery(10), delivery(90)];
    const places = new Map(replay.map((_, at) => [at, at]));
    expect(timesIn(replay, new RecordedPace(replay, new ScheduleTimes(recording, schedule), places))).toEqual([10, 20]);
  });

  test.each([
    [700, 500],
    [60, 60],
  ])('that took %d ms in the replay takes %d ms', (tookMs, pacedMs) => {
    const replay = [delivery(10), wait(10 + tookMs, tookMs), delivery(30 + tookMs)];
    const places = new Map(replay.map((_, at) => [at, at]));
    const pace = new RecordedPace(replay, new ScheduleTimes(recording, recording), places);
    expect(timesIn(replay, pace)).toEqual([10, 10 + pacedMs, 20 + pacedMs]);
    expect(pace.retimed(replay[1] as Event)).toMatchObject({ tookMs: pacedMs });
  });
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
      const pace = new RecordedPace(
        replay,
        new ScheduleTimes(schedule, schedule),
        new Map(replay.map((_, at) => [at, at])),
      );
      let atMs = 0;
      expect(timesIn(replay, pace).at(-1)).toEqual(all.map((gap) => (atMs += gap[1])).at(-1));
    }),
    { seed: 1 },
  );
});

test('events that the schedule does not have change the time of no event that it has', () => {
  const steps = fc.array(fc.tuple(fc.integer({ min: 1, max: 50 }), fc.nat(50), fc.boolean()), {
    minLength: 1,
    maxLength: 20,
  });
  fc.assert(
    fc.property(steps, (all) => {
      let [replayedMs, recordedMs] = [0, 0];
      const replay = all.map(([gap]) => delivery((replayedMs += gap)));
      const schedule = all.flatMap(([, gap, isScheduled]) => (isScheduled ? [delivery((recordedMs += gap))] : []));
      const scheduled = all.flatMap(([, , isScheduled], at) => (isScheduled ? [at] : []));
      const places = new Map(scheduled.map((at, place) => [at, place]));
      const paced = timesIn(replay, new RecordedPace(replay, new ScheduleTimes(schedule, schedule), places));
      expect(scheduled.map((at) => paced[at])).toEqual(schedule.map(({ atMs }) => atMs));
      expect(paced).toEqual([...(paced as number[])].sort((one, other) => one - other));
    }),
    { seed: 1 },
  );
});

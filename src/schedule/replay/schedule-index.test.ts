import { expect, test } from 'vitest';
import { Random } from '../../kernel/data/random.ts';
import { isInternal, type Deliver, type Event } from '../../trace/event.ts';
import { ScheduleIndex } from './schedule-index.ts';

const keyOf = (event: object): string => (event as Deliver).message as string;

/** One of few messages and names, so that many are alike or equal. */
const drawn = (random: Random): Deliver => ({
  kind: 'deliver',
  process: 'p',
  from: 'q',
  message: `m${random.below(3)}`,
  ask: 0,
  reply: 0,
  cause: -1,
  hi: 0,
  lo: random.below(6),
  sentMs: 0,
  atMs: 0,
});

const input: Event = { kind: 'start', process: 'p', cause: -1, hi: 0, lo: 0, atMs: 0 };

test('the index finds what a look at all events finds', () => {
  const random = Random.seeded(1, 1);
  for (let round = 0; round < 300; round++) {
    const schedule = Array.from({ length: random.below(20) }, () => (random.below(5) === 0 ? input : drawn(random)));
    const index = new ScheduleIndex(schedule, keyOf);
    const [event, from] = [drawn(random), random.below(21)];
    const places = [...schedule.keys()].filter((place) => isInternal(schedule[place] as Event));
    const isSame = (place: number): boolean => schedule[place]?.hi === event.hi && schedule[place]?.lo === event.lo;
    expect(index.like(event, from)).toEqual(
      places.filter((place) => place >= from && keyOf(schedule[place] as Event) === keyOf(event)),
    );
    expect(index.isBehind(event, from)).toBe(places.some((place) => place > from && isSame(place)));
  }
});

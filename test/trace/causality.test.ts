import fc from 'fast-check';
import { Random } from 'culprit/kernel';
import { Causality, ENVIRONMENT, type Event } from 'culprit/trace';
import { describe, expect, test } from 'vitest';
import { pastBySearch } from '../twins/happens-before.ts';

/** Only the process of an event and its cause matter here. */
const event = (process: string, cause: number): Event => ({
  kind: 'deliver',
  process,
  cause,
  from: ENVIRONMENT,
  message: undefined,
  ask: 0,
  reply: 0,
  sentMs: 0,
  hi: 0,
  lo: 0,
});

describe('a small execution', () => {
  // a asks b and c; b answers a; the environment sends to c, and c hears from a only after that.
  const events = [
    event('a', -1), //          0  sends to b and c
    event(ENVIRONMENT, -1), //  1  sends to c
    event('b', 0), //           2  answers a
    event('c', 1), //           3
    event('c', 0), //           4
    event('a', 2), //           5
    event(ENVIRONMENT, -1), //  6  sends to b
    event('b', 6), //           7
  ];
  const causality = new Causality(events);

  test('a message is sent before it is delivered', () => {
    expect(causality.happensBefore(0, 4)).toBe(true);
    expect(causality.happensBefore(4, 0)).toBe(false);
  });

  test('two messages add up their pasts', () => {
    expect(causality.past(5)).toEqual([0, 2]);
    expect(causality.past(4)).toEqual([0, 1, 3]);
    expect(causality.past(7)).toEqual([0, 2, 6]);
    expect(causality.future(2)).toEqual([5, 7]);
  });

  test('the environment has no order of its own', () => {
    expect(causality.concurrent(1, 6)).toBe(true);
    expect(causality.future(1)).toEqual([3, 4]);
    expect(causality.happensBefore(1, 7)).toBe(false);
  });

  test('no event is before itself, or concurrent with itself', () => {
    expect(causality.happensBefore(3, 3)).toBe(false);
    expect(causality.concurrent(3, 3)).toBe(false);
    expect(causality.concurrent(3, 5)).toBe(true);
  });
});

test('an action happens before all that its consequences cause', () => {
  const events = [event(ENVIRONMENT, -1), event(ENVIRONMENT, 0), event('a', 0), event('b', 1), event(ENVIRONMENT, -1)];
  const causality = new Causality(events);
  expect(causality.future(0)).toEqual([1, 2, 3]);
  expect([1, 2, 3, 4].map((at) => causality.happensBefore(0, at))).toEqual([true, true, true, false]);
});

test('an empty execution', () => {
  expect(() => new Causality([])).not.toThrow();
});

/** Each step: its process, 0 for the environment, and the distance to its cause, 0 for none. */
const executions = fc
  .tuple(fc.constantFrom(1, 2, 3, 8, 30, 200), fc.constantFrom(1, 4, 60))
  .chain(([processes, reach]) => fc.array(fc.tuple(fc.nat(processes), fc.nat(reach)), { maxLength: 120, size: 'max' }))
  .map((steps) =>
    steps.map(([process, back], at) => event(process === 0 ? ENVIRONMENT : `p${process}`, causeOf(at, back))),
  );

const causeOf = (at: number, back: number): number => (back === 0 ? -1 : Math.max(-1, at - back));

test('agrees with the search over direct predecessors', () => {
  fc.assert(
    fc.property(executions, (events) => {
      const causality = new Causality(events);
      const pasts = events.map((_, b) => pastBySearch(events, b));
      for (const [b, past] of pasts.entries()) {
        expect(causality.past(b)).toEqual([...past].sort((x, y) => x - y));
        expect(events.flatMap((_, a) => (causality.happensBefore(a, b) ? [a] : []))).toEqual(causality.past(b));
        expect(causality.future(b)).toEqual(pasts.flatMap((other, at) => (other.has(b) ? [at] : [])));
        expect(causality.concurrent(0, b)).toBe(b !== 0 && !past.has(0));
      }
    }),
    { seed: 1, numRuns: 150 },
  );
});

describe('100,000 events of 50 processes', () => {
  const random = Random.seeded(7, 7);
  const length = 100_000;
  const events: Event[] = [];
  for (let at = 0; at < length; at++) {
    const process = random.below(20) === 0 ? ENVIRONMENT : `p${random.below(50)}`;
    events.push(event(process, process === ENVIRONMENT ? -1 : causeOf(at, random.below(100))));
  }
  const causality = new Causality(events);

  test('answers near and far queries as the past does', () => {
    for (let i = 0; i < 1000; i++) {
      const b = random.below(length);
      const a = i % 2 === 0 ? random.below(length) : Math.max(0, b - random.below(300));
      expect(causality.happensBefore(a, b)).toBe(causality.past(b).includes(a));
    }
  });

  test('has the past that the search finds, on a sample', () => {
    for (let i = 0; i < 5; i++) {
      const b = random.below(length);
      expect(causality.past(b)).toEqual([...pastBySearch(events, b)].sort((x, y) => x - y));
    }
  });
});

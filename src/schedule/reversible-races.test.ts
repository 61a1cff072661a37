import { describe, expect, test } from 'vitest';
import type { Event } from '../trace/event.ts';
import { overtaken, Races } from './reversible-races.ts';

let made = 0;
const identity = (): { hi: number; lo: number } => ({ hi: 0, lo: ++made });

const start = (process: string): Event => ({ kind: 'start', process, cause: -1, ...identity() });
const crash = (process: string): Event => ({ kind: 'crash', process, cause: -1, ...identity() });
const send = (to: string): Event => ({
  kind: 'send',
  process: 'environment',
  to,
  message: 0,
  cause: -1,
  ...identity(),
});
const deliver = (process: string, from: string, cause: number): Event => ({
  kind: 'deliver',
  process,
  from,
  message: 0,
  ask: 0,
  reply: 0,
  sentMs: 0,
  cause,
  ...identity(),
});
const act = (): Event => ({ kind: 'act', process: 'environment', action: 'both', cause: -1, ...identity() });

const direct = (events: readonly Event[], event: number, isFifo = true, count = events.length): object[] => [
  ...new Races(events, count, () => isFifo).direct(event),
];

describe('an event overtakes what happened to its process', () => {
  test('with its cause and all that led to it', () => {
    // c hears a, then from b what b sent when it heard a.
    const events = [
      start('a'),
      start('b'),
      start('c'),
      deliver('c', 'a', 0),
      deliver('b', 'a', 0),
      deliver('c', 'b', 4),
    ];
    expect(direct(events, 5)).toEqual([
      { event: 5, before: 3, along: [4] },
      { event: 5, before: 2, along: [4] },
    ]);
    const late = [start('a'), start('c'), deliver('c', 'a', 0), start('b'), deliver('b', 'a', 0), deliver('c', 'b', 4)];
    expect(direct(late, 5)[0]).toEqual({ event: 5, before: 2, along: [3, 4] });
  });

  test('but not what it comes of, nor anything before that', () => {
    const events = [start('a'), start('b'), deliver('a', 'b', 1), deliver('b', 'a', 2), deliver('a', 'b', 3)];
    expect(direct(events, 4)).toEqual([{ event: 4, before: 2, why: 'cause' }]);
  });

  test('nor what was sent before it over the same link, unless links keep no order', () => {
    const events = [start('a'), start('b'), deliver('b', 'a', 0), deliver('b', 'a', 0)];
    expect(direct(events, 3)).toEqual([
      { event: 3, before: 2, why: 'order' },
      { event: 3, before: 1, along: [2] },
    ]);
    expect(direct(events, 3, false)[0]).toEqual({ event: 3, before: 2, along: [] });
  });

  test('with what was delivered before it over the same link, and what that needs', () => {
    const sends = [start('a'), crash('a'), send('a'), send('a')];
    const events = [...sends, deliver('a', 'environment', 2), deliver('a', 'environment', 3)];
    expect(direct(events, 5).filter((one) => 'along' in one)).toEqual([
      { event: 5, before: 1, along: [2, 3, 4] },
      { event: 5, before: 0, along: [2, 3, 4] },
    ]);
  });

  test('an answer that was taken before its turn does not hold others back', () => {
    const events = [start('a'), start('b'), deliver('b', 'a', 0), deliver('b', 'a', 2), deliver('b', 'a', 0)];
    expect(direct(events, 4)).toEqual([
      { event: 4, before: 3, along: [] },
      { event: 4, before: 2, why: 'order' },
      { event: 4, before: 1, along: [2] },
    ]);
  });

  test('an action happens to all whom it does something to, and is overtaken as a whole', () => {
    const does = { ...crash('b'), cause: 2 };
    const events = [start('a'), start('b'), act(), does, deliver('b', 'a', 0)];
    expect(direct(events, 4).map((one) => 'before' in one && one.before)).toEqual([2, 1]);
    expect(direct(events, 2)).toEqual([{ event: 2, before: 1, along: [] }]);
  });

  test('something that never happened overtakes what did', () => {
    const events = [start('a'), start('b'), deliver('b', 'b', 1), deliver('b', 'a', 0), deliver('b', 'a', 0)];
    expect(direct(events, 4, true, 3)[0]).toEqual({ event: 4, before: 2, along: [3] });
  });
});

test('elsewhere an event overtakes the last of every process that did not lead to it, the nearest first', () => {
  const events = [
    start('a'),
    start('b'),
    start('c'),
    start('d'),
    deliver('b', 'a', 0),
    send('b'),
    deliver('c', 'd', 3),
  ];
  const apart = (event: number): object[] => [...new Races(events, events.length, () => true).apart(event)];
  expect(apart(6)).toEqual([
    { event: 6, before: 5, along: [] },
    { event: 6, before: 0, along: [2, 3] },
  ]);
  // What is sent to b happens to it.
  expect(apart(5)).toEqual([
    { event: 5, before: 3, along: [] },
    { event: 5, before: 2, along: [] },
    { event: 5, before: 0, along: [] },
  ]);
});

test('a cut between two processes happens to both', () => {
  const cut: Event = { kind: 'cut', process: 'environment', links: [['b', 'c']], cause: -1, ...identity() };
  const events = [start('a'), start('b'), start('c'), cut, deliver('b', 'a', 0)];
  expect(direct(events, 4).map((one) => 'before' in one && one.before)).toEqual([3, 1]);
  expect([...new Races(events, events.length, () => true).apart(4)]).toEqual([{ event: 4, before: 2, along: [] }]);
});

test('the order that comes of it', () => {
  expect(overtaken(6, { event: 5, before: 2, along: [4] })).toEqual([0, 1, 4, 5, 2, 3]);
  expect(overtaken(3, { event: 4, before: 1, along: [2, 3] })).toEqual([0, 2, 3, 4, 1]);
});

import { describe, expect, test } from 'vitest';
import type { PassingRule } from '../../kernel/declaration.ts';
import { ENVIRONMENT, type Deliver, type Event } from '../../trace/event.ts';
import type { Undelivered } from '../../trace/undelivered.ts';
import { Matcher } from './match.ts';
import { Passing } from './passing.ts';

let made = 0;

/** A message from a to b, sent and delivered at these times. */
function frame(type: string, sentMs: number, atMs = sentMs, more: Partial<Deliver> = {}): Deliver {
  made += 1;
  const identity = { hi: made, lo: made, cause: 0 };
  return {
    kind: 'deliver',
    from: 'a',
    process: 'b',
    message: { type },
    ask: 0,
    reply: 0,
    ...identity,
    sentMs,
    atMs,
    ...more,
  };
}

const hexOf = ({ hi, lo }: Deliver): string => [hi, lo].map((part) => part.toString(16).padStart(8, '0')).join('');

/** Faults and cuts of the environment. */
const external = (event: object, atMs: number): Event =>
  ({ process: ENVIRONMENT, cause: -1, hi: 0, lo: 0, atMs, ...event }) as Event;

const passingIn = (
  when: PassingRule['when'],
  recording: readonly Event[],
  undelivered: readonly Undelivered[] = [],
  given: Readonly<Record<string, boolean>> = {},
): Passing => {
  const rule: PassingRule<unknown> = {
    name: 'frames',
    includes: (message) => (message as { type: string }).type !== 'other',
    when,
  };
  const matcher = new Matcher((message) => message);
  return new Passing({ rules: [rule], recording, undelivered, roundMs: 100, matcher, given });
};

const doPass = (recording: readonly Event[], undelivered?: readonly Undelivered[]): boolean | undefined =>
  passingIn('untouched', recording, undelivered).settings[0]?.passes;

describe('messages pass if the recording touched none of them', () => {
  const start = external({ kind: 'start', process: 'a' }, 0);

  test('as where nothing happened to them', () => {
    expect(doPass([start, frame('x', 5), frame('y', 6, 105)])).toBe(true);
    expect(passingIn('untouched', [start]).settings).toEqual([]);
  });

  test('but not where one was lost, duplicated or held, or ended a hold', () => {
    const one = frame('x', 5);
    const target = hexOf(one);
    for (const fault of ['lose', 'duplicate'])
      expect(doPass([start, one, external({ kind: fault, target }, 5)])).toBe(false);
    const other = frame('other', 5);
    expect(doPass([start, one, other, external({ kind: 'hold', target, until: hexOf(other) }, 5)])).toBe(false);
    expect(doPass([start, one, other, external({ kind: 'hold', target: hexOf(other), until: target }, 5)])).toBe(false);
  });

  test('also where one was late, or overtook another on its channel: in a replay, they keep their places', () => {
    expect(doPass([start, frame('x', 5, 106)])).toBe(true);
    expect(doPass([start, frame('x', 6), frame('y', 5, 7)])).toBe(true);
  });

  test('nor where a cut dropped one in flight, but a message that was sent over a cut link was dropped by the link', () => {
    const cut = external({ kind: 'cut', links: [] }, 9);
    const event = frame('x', 5);
    expect(doPass([start, cut], [{ event: { ...event, cause: 0 }, droppedBy: 1 }])).toBe(false);
    expect(doPass([start, cut], [{ event: { ...event, cause: 2 }, droppedBy: 1 }])).toBe(true);
    expect(doPass([start, cut], [{ event, droppedBy: undefined }])).toBe(true);
  });

  test('what the environment sends is an input, and no such message', () => {
    const input = frame('x', 5, 300, { from: ENVIRONMENT });
    expect(passingIn('always', [start]).has(input, 5)).toBe(false);
    expect(doPass([start, frame('x', 5), input])).toBe(true);
  });

  test('a setting that is given stays, whatever the recording did', () => {
    for (const sentMs of [5, 200])
      for (const passes of [true, false]) {
        const given = passingIn('untouched', [start, frame('x', sentMs, 206)], [], { frames: passes });
        expect(given.settings).toEqual([{ rule: 'frames', passes }]);
        expect(given.has(frame('x', 0), 0)).toBe(passes);
      }
  });
});

test('nearby: none passes that is equal to one that was touched within ten rounds', () => {
  const held = frame('x', 2_000);
  const fault = external({ kind: 'lose', target: hexOf(held) }, 2_000);
  const passing = passingIn('untouchedNearby', [held, fault]);
  const passes = (event: Deliver, atMs: number): boolean => passing.has(event, atMs);
  expect([999, 1_000, 3_000, 3_001].map((atMs) => passes(frame('x', 0), atMs))).toEqual([true, false, false, true]);
  expect(passes(frame('y', 0), 2_000)).toBe(true);
  expect(passes(frame('x', 0, 0, { lane: 'bulk' }), 2_000)).toBe(true);
  expect(passing.hasRecorded(held)).toBe(false);
});

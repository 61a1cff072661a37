import { expect, test } from 'vitest';
import { contentOf } from './codec.ts';
import type { Event } from './event.ts';
import { comparableContent, dataOf, isSameChannel, peerOf, processesOf, topicOf, typeOf } from './event-subject.ts';

const at = { process: 'a', cause: 0, hi: 1, lo: 2 };
const outside = { ...at, process: 'environment' };
const delivery = { ...at, kind: 'deliver', from: 'b', message: { type: 'ping' }, ask: 0, reply: 0, sentMs: 5 } as const;

type Subject = readonly [
  peer: string | undefined,
  type: string,
  topic: string | undefined,
  data: unknown,
  processes: string[],
];

const all: readonly (readonly [Event, Subject])[] = [
  [delivery, ['b', 'ping', undefined, { type: 'ping' }, ['a']]],
  [{ ...at, kind: 'return', to: 'b', message: 3, ask: 1 }, ['b', 'number', undefined, 3, ['a']]],
  [{ ...at, kind: 'fire', timer: 't', deadlineMs: 1, everyMs: 0 }, [undefined, 't', 't', undefined, ['a']]],
  [
    { ...at, kind: 'complete', operation: 'read', key: 'k', value: 7, deadlineMs: 0, request: 1 },
    [undefined, 'read k', 'read k', 7, ['a']],
  ],
  [{ ...at, kind: 'spawn', of: 'worker', args: [1] }, [undefined, 'worker', 'worker', [1], ['a']]],
  [{ ...at, kind: 'start' }, [undefined, '', undefined, undefined, ['a']]],
  [{ ...at, kind: 'crash' }, [undefined, '', undefined, undefined, ['a']]],
  [{ ...outside, kind: 'send', to: 'b', message: 'hi' }, ['b', 'string', undefined, 'hi', ['b']]],
  [
    {
      ...outside,
      kind: 'cut',
      links: [
        ['a', 'b'],
        ['b', 'a'],
      ],
    },
    [
      undefined,
      '',
      undefined,
      [
        ['a', 'b'],
        ['b', 'a'],
      ],
      ['a', 'b'],
    ],
  ],
  [{ ...outside, kind: 'lose', target: '0000000100000002' }, [undefined, '', undefined, '0000000100000002', []]],
  [{ ...outside, kind: 'act', action: 'grow', payload: 2 }, [undefined, 'grow', 'grow', 2, []]],
];

test.each(all.map(([event, subject]) => [event.kind, event, subject] as const))(
  'the subject of a %s',
  (_kind, event, subject) => {
    expect([peerOf(event), typeOf(event), topicOf(event), dataOf(event), processesOf(event)]).toEqual(subject);
    // A line of a trace leaves out defaults, and says the same.
    expect(comparableContent({ event: 1, ...contentOf(event) })).toEqual(comparableContent(event));
  },
);

test('identities and times are no content, but an answer is not the message that it answers with', () => {
  const later = { ...delivery, hi: 9, lo: 9, cause: 4, sentMs: 80 };
  expect(comparableContent(later)).toEqual(comparableContent(delivery));
  expect(comparableContent({ ...delivery, reply: 1 })).not.toEqual(comparableContent(delivery));
});

test('a channel has one kind, one process and one peer', () => {
  expect(isSameChannel(delivery, { ...delivery, message: 'other', hi: 9 })).toBe(true);
  expect(isSameChannel(delivery, { ...delivery, from: 'c' })).toBe(false);
  expect(isSameChannel(delivery, { ...delivery, process: 'c' })).toBe(false);
  expect(isSameChannel(delivery, { ...at, kind: 'return', to: 'b', message: {}, ask: 0 })).toBe(false);
});

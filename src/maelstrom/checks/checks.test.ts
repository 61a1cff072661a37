import { describe, expect, test } from 'vitest';
import type { Body } from '../protocol/body.ts';
import { gCounter, pnCounter } from '../workloads/counters.ts';
import { broadcast } from '../workloads/sets.ts';
import { uniqueIds } from '../workloads/unique-ids.ts';
import type { Workload } from '../workloads/workload.ts';
import { inconsistentLog, lostWrite } from './kafka-log.ts';
import type { BodyOperation } from './problem.ts';

/** Operations of one client, one after the other. Without an answer, the result is unknown. */
const history = (...operations: readonly (readonly [request: Body, answer?: Body])[]): BodyOperation[] =>
  operations.map(([request, output], at) => ({
    process: 'c1',
    input: { dest: 'n1', ...request },
    called: 2 * at,
    ...(output === undefined ? {} : { output, returned: 2 * at + 1 }),
  }));

const ok = { type: 'ok' };
const refused = { type: 'error', code: 11 };

const sends = (msg: number, offset: number): [Body, Body] => [
  { type: 'send', key: 'k', msg },
  { type: 'send_ok', offset },
];

const polls = (from: number, ...msgs: readonly (readonly [number, number])[]): [Body, Body] => [
  { type: 'poll', offsets: { k: from } },
  { type: 'poll_ok', msgs: { k: msgs } },
];

describe('logs', () => {
  test.each([
    ['sends and polls in order', history(sends(7, 0), sends(8, 1), polls(0, [0, 7], [1, 8])), undefined],
    ['gaps between offsets', history(sends(7, 10), sends(8, 20), polls(0, [10, 7], [20, 8])), undefined],
    ['a poll that does not reach the end', history(sends(7, 0), sends(8, 1), polls(0, [0, 7])), undefined],
    ['a message with an unknown offset', history([{ type: 'send', key: 'k', msg: 7 }], polls(0, [3, 7])), undefined],
    ['an offset with two messages', history(sends(7, 0), sends(8, 0)), 'inconsistent offsets'],
    ['another message than was sent', history(sends(7, 0), sends(8, 1), polls(0, [0, 8])), 'inconsistent offsets'],
    ['a message at two offsets', history(sends(7, 0), polls(0, [0, 7], [1, 7])), 'duplicate'],
    ['a message from nowhere', history(polls(0, [0, 7])), 'unheard of'],
    ['a message before it was sent', history(polls(0, [0, 7]), sends(7, 0)), 'unheard of'],
    [
      'a message whose send was refused',
      history([{ type: 'send', key: 'k', msg: 7 }, refused], polls(0, [0, 7])),
      'unheard of',
    ],
    ['a gap in a poll', history(sends(6, 0), sends(7, 1), sends(8, 2), polls(0, [0, 6], [2, 8])), 'skipped poll'],
    ['a gap before a poll', history(sends(7, 1), sends(8, 2), polls(1, [2, 8])), 'skipped poll'],
    ['a poll that goes back', history(sends(7, 0), sends(8, 1), polls(0, [1, 8], [0, 7])), 'nonmonotonic poll'],
    ['a poll from before', history(sends(7, 0), sends(8, 1), polls(1, [0, 7], [1, 8])), 'nonmonotonic poll'],
  ])('%s', (_what, operations, kind) => {
    expect(inconsistentLog(operations)?.kind).toBe(kind);
  });

  test('an acknowledged message must be there in the end', () => {
    const operations = history(sends(7, 0), [{ type: 'send', key: 'k', msg: 8 }]);
    expect(lostWrite(operations, new Map([['n1', { k: [[0, 7]] }]]))).toBeUndefined();
    expect(lostWrite(operations, new Map([['n1', {}]]))?.message).toBe(
      'n1 does not have 7 at 0 of key k in the end: c1 send {"key":"k","msg":7} at n1 → 0 was acknowledged',
    );
    expect(lostWrite(operations, new Map([['n1', { k: [[0, 8]] }]]))?.kind).toBe('lost write');
  });
});

const kindAtEnd = ({ final }: Workload, operations: readonly BodyOperation[], seen: Record<string, unknown>) =>
  final?.check(operations, new Map(Object.entries(seen)))?.kind;

describe('final states', () => {
  const add = (delta: number): Body => ({ type: 'add', delta });

  test('a counter is one of the possible sums', () => {
    const operations = history([add(5), ok], [add(2)], [add(3)], [add(100), refused]);
    for (const n1 of [5, 7, 8, 10]) expect(kindAtEnd(gCounter, operations, { n1 })).toBeUndefined();
    for (const n1 of [0, 6, 11, 105]) expect(kindAtEnd(gCounter, operations, { n1 })).toBe('wrong sum');
    expect(kindAtEnd(gCounter, operations, { n1: 5, n2: 4 })).toBe('wrong sum');
    expect(kindAtEnd(pnCounter, history([add(-5), ok], [add(-2)]), { n1: -7 })).toBeUndefined();
  });

  test('every acknowledged element is at every node, and no other', () => {
    const send = (message: number): Body => ({ type: 'broadcast', message });
    const operations = history([send(1), ok], [send(2)]);
    expect(kindAtEnd(broadcast, operations, { n1: [1], n2: [2, 1] })).toBeUndefined();
    expect(kindAtEnd(broadcast, operations, { n1: [1], n2: [2] })).toBe('lost');
    expect(kindAtEnd(broadcast, operations, { n1: [1, 3] })).toBe('unheard of');
  });
});

describe('histories', () => {
  const judged = ({ oracle }: Workload, operations: readonly BodyOperation[]) =>
    oracle?.end?.({ operations: () => operations, length: 1 } as never, true);

  test('ids are unique', () => {
    const generate = (id: unknown): [Body, Body] => [{ type: 'generate' }, { type: 'generate_ok', id }];
    expect(judged(uniqueIds, history(generate('1'), generate(1), generate([1])))).toEqual({ kind: 'holds' });
    expect(judged(uniqueIds, history(generate([1]), generate(2), generate([1])))).toMatchObject({
      fingerprint: 'unique-ids duplicate',
    });
  });

  test('no read has an element before it was added', () => {
    const read: [Body, Body] = [{ type: 'read' }, { type: 'read_ok', messages: [1] }];
    const add: [Body, Body] = [{ type: 'broadcast', message: 1 }, ok];
    expect(judged(broadcast, history(add, read))).toEqual({ kind: 'holds' });
    expect(judged(broadcast, history(read, add))).toMatchObject({ fingerprint: 'broadcast unheard of' });
  });
});

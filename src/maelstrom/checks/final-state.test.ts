import { expect, test } from 'vitest';
import type { Session } from '../../kernel/ports.ts';
import type { World } from '../../kernel/world.ts';
import { digestText } from '../../trace/digest.ts';
import type { Deliver, Event } from '../../trace/event.ts';
import { finalState } from './final-state.ts';

const message = (from: string, process: string, text: string): Deliver => ({
  kind: 'deliver',
  from,
  process,
  message: text,
  cause: 0,
  ask: 0,
  reply: 0,
  sentMs: 0,
  ...digestText(`${from} ${process} ${text}`),
});

/** A world after a read of both nodes that began with this `msg_id`; both have answered it. */
const readFrom = (firstId: number, pending: readonly Deliver[], returned?: number): World =>
  ({
    process: () => ({
      up: true,
      state: { ticks: 1, firstId, isOver: true, complete: { n1: firstId, n2: firstId + 1 }, final: {} },
    }),
    pending,
    cutLinks: [],
    operations: () => [
      {
        process: 'c1',
        input: { type: 'add', dest: 'n1' },
        called: 1,
        ...(returned === undefined ? {} : { output: { type: 'add_ok' }, returned }),
      },
    ],
  }) as unknown as World;

const session = { guarantees: { controlled: false } } as Session;
const event = {} as Event;
const gossip = message('n1', 'n2', 'gossip');
const request = message('c1', 'n2', 'request');

test.each([
  ['nothing was in flight', [], [], 'violated'],
  ['a message was in flight at one read', [], [gossip], 'violated'],
  ['another message was in flight at each', [message('n1', 'n2', 'earlier')], [gossip], 'violated'],
  ['a request of a client was not delivered', [request], [request], 'violated'],
  ['a message was in flight from one read to the next', [gossip], [gossip], 'unknown'],
])('nodes that differ in the end, and %s', (_what, atFirst, atLast, kind) => {
  const problem = { kind: 'lost', message: 'n2 does not have 1', processes: ['n2'] };
  const watch = finalState(['n1', 'n2'], () => problem, 8).begin?.(session);
  watch?.judge(readFrom(3, atFirst), event);
  const last = readFrom(5, atLast);
  watch?.judge(last, event);
  expect(watch?.end?.(last, false).kind).toBe(kind);
});

test.each([
  ['before', 2, true],
  ['after', undefined, false],
])('an operation that returned %s the reads', (_when, returned, isAcknowledged) => {
  let checked: readonly object[] = [];
  const check = (operations: readonly object[]): undefined => void (checked = operations);
  const watch = finalState(['n1', 'n2'], check, 8).begin?.(session);
  for (const firstId of [3, 5]) watch?.judge(readFrom(firstId, [], returned), event);
  expect(watch?.end?.(readFrom(5, [], 2), false).kind).toBe('holds');
  expect(checked.map((operation) => 'output' in operation)).toEqual([isAcknowledged]);
});

import { expect, test } from 'vitest';
import type { Deliver, ExternalEvent } from '../../trace/event.ts';
import { renamedEvent, renamedViolation } from './renaming.ts';

const names = new Map([
  ['a', 'b'],
  ['b', 'a'],
]);

const at = { cause: 3, hi: 1, lo: 2 };

test('names stand in messages, lists, maps and sets, as keys, and in those of children', () => {
  const message = { a: ['b', 'c', 'ab'], map: new Map([['a', new Set(['b'])]]), child: 'a/worker-1', none: null };
  const event: Deliver = {
    kind: 'deliver',
    process: 'a/worker-1',
    from: 'b',
    message,
    ask: 0,
    reply: 0,
    sentMs: 5,
    ...at,
  };
  const { hi, lo, ...renamed } = renamedEvent(event, names);
  expect(renamed).toEqual({
    kind: 'deliver',
    process: 'b/worker-1',
    from: 'a',
    message: { b: ['a', 'c', 'ab'], map: new Map([['b', new Set(['a'])]]), child: 'b/worker-1', none: null },
    ask: 0,
    reply: 0,
    sentMs: 5,
    cause: 3,
  });
  expect([hi, lo]).not.toEqual([event.hi, event.lo]);
});

test('a kind or an action may be called like a process', () => {
  const start: ExternalEvent = { kind: 'start', process: 'a', of: 'a', args: 'a', ...at };
  expect(renamedEvent(start, names)).toMatchObject({ process: 'b', of: 'a', args: 'b' });
  const act: ExternalEvent = { kind: 'act', process: 'environment', action: 'b', payload: 'b', ...at };
  expect(renamedEvent(act, names)).toMatchObject({ process: 'environment', action: 'b', payload: 'a' });
});

test('a violation is about the new names, and a fingerprint of its own stays', () => {
  const violation = {
    kind: 'violated',
    oracle: 'one',
    message: '',
    processes: ['a', 'c'],
    fingerprint: 'one a c',
  } as const;
  expect(renamedViolation(violation, names)).toMatchObject({ processes: ['b', 'c'], fingerprint: 'one b c' });
  expect(renamedViolation({ ...violation, fingerprint: 'a' }, names)).toMatchObject({ fingerprint: 'a' });
});

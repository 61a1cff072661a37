import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Internal } from '../../trace/event.ts';
import { Matcher } from './match.ts';

const contents = fc.oneof(
  fc.constantFrom(undefined, null, 1, 'a'),
  fc.array(fc.constantFrom(1, 2), { maxLength: 2 }),
  fc.record(
    { type: fc.constantFrom('x', 'y'), a: fc.constantFrom(undefined, 1, [1]), xid: fc.nat(9) },
    { requiredKeys: [] },
  ),
);

const events: fc.Arbitrary<Internal> = fc
  .record({
    kind: fc.constant('deliver' as const),
    process: fc.constantFrom('a', 'b'),
    from: fc.constantFrom('a', 'b'),
    lane: fc.constantFrom(undefined, '1'),
    message: contents,
    // The identity of the event: two events with the same one are alike in any case.
    hi: fc.integer(),
    lo: fc.integer(),
  })
  .map((fields) => ({ ask: 0, reply: 0, cause: 0, nth: 0, sentMs: 0, ...fields }) as unknown as Internal);

test('events have equal keys if one may stand in for the other by its content', () => {
  const withoutNumber = (message: unknown): unknown =>
    typeof message === 'object' && message !== null && 'xid' in message ? { ...message, xid: undefined } : message;
  const matcher = Matcher.ofLive(withoutNumber);
  fc.assert(
    fc.property(events, events, (one, other) => {
      fc.pre(one.hi !== other.hi || one.lo !== other.lo);
      const isFound = matcher.find([one], other, 'content').length > 0;
      expect(matcher.keyOf(one) === matcher.keyOf(other)).toBe(isFound);
    }),
    { numRuns: 2_000, seed: 1 },
  );
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hasSerialOrder } from '../../../test/twins/maelstrom/serial-orders.ts';
import { checkListAppend, checkRegisters } from './check-transactions.ts';
import type { ConsistencyModel } from './consistency.ts';
import type { Step, Transaction } from './transaction.ts';

/** A transaction in short: `r x [1]`, `append x 2`, `w x 3`. */
const transaction = (
  text: string,
  status: Transaction['status'] = 'committed',
  [called, returned]: readonly [number, number?] = [0],
): Transaction => ({
  client: 'c1',
  node: 'n1',
  called,
  returned,
  status,
  steps: text.split(', ').map((step): Step => {
    const [f, key, value] = step.split(' ') as [Step['f'], string, string];
    return { f, key, value: JSON.parse(value) as unknown };
  }),
});

const nameOf = (check: typeof checkListAppend, history: readonly Transaction[], model: ConsistencyModel): string => {
  const checked = check(history, model);
  return checked.kind === 'violated' ? checked.anomaly.name : checked.kind;
};

const aborted = (text: string): Transaction => transaction(text, 'aborted');
const unknown = (text: string): Transaction => transaction(text, 'unknown');

describe('transactions on lists', () => {
  const all = (texts: readonly string[]): Transaction[] => texts.map((text) => transaction(text));

  test.each([
    ['one after the other', all(['append x 1', 'r x [1], append x 2', 'r x [1,2]']), 'holds'],
    ['a read of nothing', all(['r x null', 'append x 1']), 'holds'],
    ['G0', all(['append x 1, append y 1', 'append x 2, append y 2', 'r x [1,2], r y [2,1]']), 'G0'],
    ['G0 within a key', all(['append x 1, append x 2', 'append x 3', 'r x [1,3,2]']), 'G0'],
    ['G1a', [aborted('append x 1'), transaction('r x [1]')], 'G1a'],
    ['G1b', all(['append x 1, append x 2', 'r x [1]']), 'G1b'],
    ['G1c', all(['append x 1, r y [1]', 'append y 1, r x [1]']), 'G1c'],
    ['a lost update', all(['r x null, append x 1', 'r x null, append x 2', 'r x [1,2]']), 'G-single'],
    ['read skew', all(['append x 1, append y 1', 'r x [1], r y null']), 'G-single'],
    ['write skew', all(['r x null, append y 1', 'r y null, append x 1']), 'G2'],
    ['two orders', all(['append x 1', 'append x 2', 'r x [1]', 'r x [2,1]']), 'incompatible order'],
    ['twice the same', all(['append x 1', 'r x [1,1]']), 'duplicate'],
    ['from nowhere', all(['r x [7]']), 'unheard of'],
    ['against its own steps', all(['append x 1, r x null']), 'internal'],
    [
      'a result that is unknown and was read',
      [unknown('append x 1, append y 1'), transaction('r x [1], r y null')],
      'G-single',
    ],
    ['a result that is unknown and had no effect', [unknown('append x 1'), transaction('r x null')], 'holds'],
    ['the same value twice', all(['append x 1', 'append x 1']), 'unknown'],
  ])('%s', (_what, history, expected) => {
    expect(nameOf(checkListAppend, history, 'serializable')).toBe(expected);
    // Where the same value is written twice, the check does not know; these histories are serial.
    expect(hasSerialOrder(history, false)).toBe(expected === 'holds' || expected === 'unknown');
  });

  test('weaker models allow more', () => {
    const skew = all(['append x 1, append y 1', 'r x [1], r y null']);
    const circle = all(['append x 1, r y [1]', 'append y 1, r x [1]']);
    expect(nameOf(checkListAppend, skew, 'read-committed')).toBe('holds');
    expect(nameOf(checkListAppend, circle, 'read-committed')).toBe('G1c');
    expect(nameOf(checkListAppend, circle, 'read-uncommitted')).toBe('holds');
  });

  test('the strictest model knows real time', () => {
    const late = [transaction('append x 1', 'committed', [1, 2]), transaction('r x null', 'committed', [3, 4])];
    expect(nameOf(checkListAppend, late, 'serializable')).toBe('holds');
    expect(nameOf(checkListAppend, late, 'strict-serializable')).toBe('G-single-realtime');
  });
});

describe('transactions on registers', () => {
  const all = (texts: readonly string[]): Transaction[] => texts.map((text) => transaction(text));

  test.each([
    ['one after the other', all(['w x 1', 'r x 1, w x 2', 'r x 2']), 'holds'],
    ['G1a', [aborted('w x 1'), transaction('r x 1')], 'G1a'],
    ['G1b', all(['w x 1, w x 2', 'r x 1']), 'G1b'],
    ['G1c', all(['w x 1, r y 1', 'w y 1, r x 1']), 'G1c'],
    ['a lost update, in whatever order', all(['w x 0', 'r x 0, w x 1', 'r x 0, w x 2']), 'G2'],
    ['write skew', all(['r x null, w y 1', 'r y null, w x 1']), 'G2'],
    ['read skew', all(['w x 1, w y 1', 'r x 1, r y null']), 'G-single'],
    ['from nowhere', all(['r x 7']), 'unheard of'],
    ['against its own steps', all(['w x 1, r x 2', 'w x 2']), 'internal'],
    ['a result that is unknown and was read', [unknown('w x 1, w y 1'), transaction('r x 1, r y null')], 'G-single'],
  ])('%s', (_what, history, expected) => {
    expect(nameOf(checkRegisters, history, 'serializable')).toBe(expected);
    expect(hasSerialOrder(history, false)).toBe(expected === 'holds');
  });
});

/** Random histories, serializable and not: a serial execution in which some reads were replaced. */
const histories = (write: 'append' | 'w'): fc.Arbitrary<Transaction[]> =>
  fc
    .array(
      fc.record({
        steps: fc.array(fc.record({ isRead: fc.boolean(), key: fc.constantFrom('x', 'y'), stale: fc.nat(2) }), {
          minLength: 1,
          maxLength: 3,
        }),
        fate: fc.nat(9),
        length: fc.nat(3),
      }),
      { minLength: 2, maxLength: 6 },
    )
    .map((drawn) => executed(drawn, write));

interface DrawnTransaction {
  readonly steps: readonly { readonly isRead: boolean; readonly key: string; readonly stale: number }[];
  readonly fate: number;
  readonly length: number;
}

/** Executes one after the other. A stale read sees a past state of its key; one in ten transactions is aborted, one in ten is open. */
function executed(drawn: readonly DrawnTransaction[], write: 'append' | 'w'): Transaction[] {
  const past = new Map<string, unknown[]>();
  let value = 0;
  return drawn.map(({ steps, fate, length }, at): Transaction => {
    const status = fate === 0 ? 'aborted' : fate === 1 ? 'unknown' : 'committed';
    const done = steps.map(({ isRead, key, stale }): Step => {
      const states = past.get(key) ?? [null];
      past.set(key, states);
      if (isRead) return { f: 'r', key, value: states[Math.max(0, states.length - 1 - (stale === 2 ? 1 : 0))] };
      value += 1;
      const now = states.at(-1) as unknown[] | null;
      if (status !== 'aborted' || stale === 0) states.push(write === 'w' ? value : [...(now ?? []), value]);
      return { f: write, key, value };
    });
    const called = at * 2;
    return {
      client: `c${at}`,
      node: 'n1',
      called,
      returned: status === 'committed' ? called + 1 + length : undefined,
      status,
      steps: status === 'committed' ? done : done.filter(({ f }) => f !== 'r'),
    };
  });
}

describe.each([
  ['lists', 'append', checkListAppend],
  ['registers', 'w', checkRegisters],
] as const)('random histories of %s', (_what, write, check) => {
  test.each(['serializable', 'strict-serializable'] as const)('%s: as if all orders were tried', (model) => {
    let violated = 0;
    fc.assert(
      fc.property(histories(write), (history) => {
        const checked = check(history, model);
        if (checked.kind === 'violated') violated += 1;
        expect(checked.kind).toBe(hasSerialOrder(history, model === 'strict-serializable') ? 'holds' : 'violated');
      }),
      { numRuns: 400, seed: 4 },
    );
    expect(violated).toBeGreaterThan(50);
    expect(violated).toBeLessThan(350);
  });
});

import { expect, test } from 'vitest';
import type { Session } from '../../kernel/ports.ts';
import { Persistence, type Duration } from './persistence.ts';

/** Looks at what is wrong at these times; gives what has lasted by then. */
function lasting(duration: Duration, roundMs: number | undefined, looks: readonly (readonly [number, string])[]) {
  const session = { nowMs: 0, ...(roundMs === undefined ? {} : { roundMs }) };
  const persistence = new Persistence(session as unknown as Session, duration);
  return looks.map(([ms, wrong]) => {
    session.nowMs = ms;
    const present = wrong.split('').map((fingerprint) => ({ fingerprint }));
    return [persistence.firstToLast(present)?.fingerprint, persistence.undecidedUntilMs];
  });
}

test('something has to last without a break', () => {
  const looks = [
    [0, 'b'],
    [250, 'b'],
    [260, ''],
    [270, 'b'],
    [560, 'b'],
    [570, 'b'],
  ] as const;
  const found = lasting({ ms: 300 }, undefined, looks);
  expect(found.map(([name]) => name)).toEqual([undefined, undefined, undefined, undefined, undefined, 'b']);
  expect(found.map(([, until]) => until)).toEqual([300, 300, undefined, 570, 570, 570]);
});

test('beside processes that act by themselves, what goes wrong within a round is decided together', () => {
  const looks = [
    [0, 'b'],
    [40, 'ba'],
    [300, 'ba'],
    [340, 'ba'],
  ] as const;
  expect(lasting(3, 100, looks)).toEqual([
    [undefined, 300],
    [undefined, 340],
    [undefined, 340],
    ['a', 340],
  ]);
  const other = [
    [0, 'a'],
    [40, 'ab'],
    [340, 'ab'],
  ] as const;
  expect(lasting(3, 100, other).at(-1)).toEqual(['a', 340]);
});

test('what goes wrong later does not delay the decision', () => {
  const looks = [
    [0, 'b'],
    [140, 'ba'],
    [300, 'ba'],
  ] as const;
  expect(lasting(3, 100, looks).at(-1)).toEqual(['b', 300]);
});

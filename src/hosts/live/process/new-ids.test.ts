import { describe, expect, test } from 'vitest';
import { NewIds } from './new-ids.ts';

/** The processes that are examined at a look, of a machine that has `all`. It is never known whose they are, except for `known`. */
function examinedAt(
  ids: NewIds,
  last: number,
  { atMs = 0, all = [5, 300, 999, 1000, 1001, 1100, 32_700], known = [] as number[] } = {},
): number[] {
  const examined: number[] = [];
  ids.examine(last, atMs, { all: () => all, has: (id) => all.includes(id) }, (pid) => {
    examined.push(pid);
    return known.includes(pid);
  });
  return examined;
}

describe('the ids that are new', () => {
  test('are those that were given since the look before', () => {
    const ids = new NewIds(1000);
    expect(examinedAt(ids, 1000)).toEqual([]);
    expect(examinedAt(ids, 1050)).toEqual([1001]);
  });

  test('are examined until it is known whose they are, for a second and once more', () => {
    const ids = new NewIds(1000);
    expect(examinedAt(ids, 1100)).toEqual([1001, 1100]);
    expect(examinedAt(ids, 1100, { atMs: 500, known: [1100] })).toEqual([1001, 1100]);
    expect(examinedAt(ids, 1100, { atMs: 1_500 })).toEqual([1001]);
    expect(examinedAt(ids, 1100, { atMs: 1_501 })).toEqual([]);
  });

  test('are the largest and the smallest when the kernel begins again, and only then', () => {
    const ids = new NewIds(1001);
    expect(examinedAt(ids, 400)).toEqual([5, 300, 1100, 32_700]);
    expect(examinedAt(ids, 400, { atMs: 2_000 })).toEqual([5, 300, 1100, 32_700]);
    expect(examinedAt(ids, 400, { atMs: 2_001 })).toEqual([]);
    expect(examinedAt(ids, 999, { atMs: 2_002 })).toEqual([999]);
  });

  test('are all of them if the last one cannot be known', () => {
    const ids = new NewIds(1000);
    for (const atMs of [0, 5_000, 6_000]) expect(examinedAt(ids, 0, { atMs })).toHaveLength(7);
  });
});

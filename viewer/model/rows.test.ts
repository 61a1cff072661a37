import { describe, expect, test } from 'vitest';
import { Rows } from './rows.ts';

/** Idle lines are lower case letters, hidden ones dots; in rows, a fold is its size. */
function shown(text: string, opened: readonly number[] = []): string {
  const rows = new Rows(text.length, {
    isShown: (line) => text[line] !== '.',
    isIdle: (line) => text[line] === text[line]?.toLowerCase(),
    opened: new Set(opened),
  });
  return Array.from({ length: rows.length }, (_, row) => rows.foldedAt(row) || text[rows.lineAt(row)]).join(' ');
}

describe('rows', () => {
  test.each([
    ['ABC', 'A B C'],
    ['AbcdE', 'A 3 E'],
    ['AbcE', 'A b c E'],
    ['abcdE', '4 E'],
    ['Abcdef', 'A 5'],
    ['Ab.c.dE', 'A 3 E'],
    ['A.bC', 'A b C'],
    ['abcDefg', '3 D 3'],
    ['', ''],
    ['...', ''],
  ])('%j is shown as %j', (lines, rows) => expect(shown(lines)).toBe(rows));

  test('a fold with an opened line in it stands open, and no other', () => {
    expect(shown('abcDefg', [1])).toBe('a b c D 3');
    expect(shown('abcDefg', [3])).toBe('3 D 3');
  });

  test('places: the middle of a row or of a fold, or between rows', () => {
    const rows = new Rows(7, { isShown: (line) => line !== 1 && line !== 6, isIdle: (line) => line >= 2 && line <= 4 });
    expect([0, 1, 2, 3, 4, 5, 6].map((line) => rows.placeOf(line))).toEqual([0.5, 1, 1.5, 1.5, 1.5, 2.5, 3]);
  });
});

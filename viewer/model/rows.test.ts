import { describe, expect, test } from 'vitest';
import type { Fold } from './folds.ts';
import { heightOfRow, RowPlaces } from './row-places.ts';
import { Rows } from './rows.ts';

const idle: Fold = { kind: 'irrelevant' };

/** Idle lines are lower case letters, hidden ones dots; in rows, a fold is its size. */
function shown(text: string, opened: readonly number[] = []): string {
  const rows = new Rows(text.length, {
    isShown: (line) => text[line] !== '.',
    foldOf: (line) => (text[line] === text[line]?.toLowerCase() ? idle : undefined),
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

  test('lines that are folded for another reason are another row', () => {
    const loop: Fold = { kind: 'loop', period: 1 };
    const rows = new Rows(7, { isShown: () => true, foldOf: (line) => (line < 4 ? idle : loop) });
    expect([rows.length, rows.foldedAt(0), rows.foldAt(0), rows.foldedAt(1), rows.foldAt(1)]).toEqual([
      2,
      4,
      idle,
      3,
      loop,
    ]);
  });

  test('places: beside the first line of text of a row or of a fold, or between rows', () => {
    const rows = new Rows(7, {
      isShown: (line) => line !== 1 && line !== 6,
      foldOf: (line) => (line >= 2 && line <= 4 ? idle : undefined),
    });
    // The fold in the middle has two lines of text.
    const places = new RowPlaces(rows, (row) => heightOfRow(row === 1 ? 2 : 1));
    expect([0, 1, 2, 3, 4, 5, 6].map((line) => places.placeOf(line))).toEqual([12, 24, 36, 36, 36, 78, 90]);
    expect([-5, 0, 23, 24, 65, 66, 1_000].map((y) => places.rowAt(y))).toEqual([0, 0, 0, 1, 1, 2, 2]);
  });
});

import { expect, test } from 'vitest';
import { firstColumns, paddedEnd, paddedStart, shortenedTo, widthOf } from './width.ts';

test.each([
  ['client-1 → lock…', 16],
  ['é', 1],
  ['e\u0301', 1],
  ['節点一', 6],
  ['ノード', 6],
  ['ﾉｰﾄ', 3],
  ['노드', 4],
  ['ｆｕｌｌ', 8],
  ['👍', 2],
  ['👩‍👩‍👧', 2],
  ['🇨🇭', 2],
  ['❤', 1],
  ['❤\ufe0f', 2],
  ['a\u200bb', 2],
])('%s takes %d columns', (text, columns) => {
  expect(widthOf(text)).toBe(columns);
});

test('columns are filled, and cut between characters', () => {
  expect([paddedEnd('節', 4), paddedStart('節', 4), paddedEnd('節点', 3)]).toEqual(['節  ', '  節', '節点']);
  expect([firstColumns('節点', 3), firstColumns('e\u0301a', 1), firstColumns('abc', 2)]).toEqual([
    '節',
    'e\u0301',
    'ab',
  ]);
  expect([shortenedTo('節点一', 5), shortenedTo('節点', 4), shortenedTo('abcd', 3)]).toEqual(['節点…', '節点', 'ab…']);
});

import { expect, test } from 'vitest';
import { changesBetween, toPortable, type Change } from 'culprit/trace';
import { written } from './written.ts';

/** One line of text for each: indented, and marked if it changed. */
const lines = (value: unknown, changes: readonly Change[] = []): string[] =>
  written(value, changes).map(({ depth, name, text, isChanged, before }) =>
    [`${'  '.repeat(depth)}${isChanged ? '> ' : ''}${name}`, text, before === undefined ? '' : `(${before})`]
      .filter(Boolean)
      .join(' '),
  );

test('small data is on one line, and large data opens', () => {
  const long = Array.from({ length: 20 }, (_, at) => `entry ${at}`);
  expect(lines(toPortable({ term: 3, votes: ['a', 'b'] }, 'x'))).toEqual(['term 3', 'votes [a, b]']);
  expect(lines(toPortable({ log: long.slice(0, 6) }, 'x'))).toEqual([
    'log',
    ...long.slice(0, 6).map((text, at) => `  ${at} ${text}`),
  ]);
  expect(lines('acquire')).toEqual(['acquire']);
});

test('every kind of plain data is distinguishable', () => {
  const value = { big: 2n, none: null, set: new Set([1, 'x']), map: new Map([['k', 1]]), text: '1', odd: -0 };
  expect(lines(toPortable(value, 'x'))).toEqual([
    'big 2n',
    'map {k → 1}',
    'none null',
    'odd -0',
    'set {1, x}',
    'text "1"',
  ]);
});

test('changed and removed data is opened and marked, with the value before', () => {
  const before = toPortable({ at: new Map([['a/b', { n: 1, m: 2 }]]), list: [1, 2], gone: 'x' }, 'x');
  const after = toPortable({ at: new Map([['a/b', { n: 5, m: 2 }]]), list: [1], fresh: true }, 'x');
  expect(lines(after, changesBetween(before, after))).toEqual([
    'at',
    '  a/b',
    '    m 2',
    '    > n 5 (1)',
    '> fresh true (new)',
    'list',
    '  0 1',
    '  > 1 (2)',
    '> gone (x)',
  ]);
});

test('endless data is cut', () => {
  const wide = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`k${at}`, at]));
  expect(lines(wide)).toHaveLength(201);
  expect(lines(wide).at(-1)).toBe('… 4800 more lines');
  expect(lines('x'.repeat(10_000))[0]).toHaveLength(2_001);
});

import { expect, test } from 'vitest';
import { fitOf, wrapped, type TextWidths } from './text-fit.ts';

/** Every character is ten pixels wide. */
const widths: TextWidths = { words: (text) => text.length * 10, data: (text) => text.length * 10 };

test.each([
  ['one two', 100, ['one two']],
  ['one two', 60, ['one', 'two']],
  ['one two three', 80, ['one two', 'three']],
  ['extraordinary', 50, ['extra', 'ordin', 'ary']],
  ['an extraordinary word', 50, ['an', 'extra', 'ordin', 'ary', 'word']],
])('%j in %d pixels', (text, room, lines) => {
  expect(wrapped(text, room, widths.words)).toEqual(lines);
});

test('a sentence is shown whole, and behind it as many whole changes as have room', () => {
  const sentence = { what: 'begins', changes: ['role: a → b', 'term: 1 → 2'] };
  expect(fitOf(sentence, 400, widths)).toEqual({ lines: 1, changes: 'role: a → b, term: 1 → 2' });
  expect(fitOf(sentence, 260, widths)).toEqual({ lines: 1, changes: 'role: a → b, +1' });
  expect(fitOf(sentence, 150, widths)).toEqual({ lines: 1, changes: '' });
  expect(fitOf({ what: 'has waited for votes', changes: ['term: 2'] }, 220, widths)).toEqual({ lines: 1, changes: '' });
  expect(fitOf({ what: 'has waited for votes', changes: ['term: 2'] }, 166, widths)).toEqual({
    lines: 2,
    changes: 'term: 2',
  });
});

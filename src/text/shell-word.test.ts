import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { shellWord } from './shell-word.ts';

test('plain words are left alone', () => {
  expect(['a/b-c_1.trace', '--seed=3', '@scope/x'].map(shellWord)).toEqual(['a/b-c_1.trace', '--seed=3', '@scope/x']);
  expect(shellWord('')).toBe("''");
});

test('a shell takes each for one word, and gets what was meant', () => {
  const words = [
    'a b',
    "it's",
    '$HOME `x` "y"',
    '',
    '*',
    'a\\b',
    'a\nb',
    '\u001b[31m1\u00072',
    "\u202e'\\\n$x",
    '~',
    '#',
    'é😀',
  ];
  const quoted = words.map(shellWord);
  expect(quoted.join('')).not.toMatch(/[\p{Cc}\u202e]/u);
  const printed = execFileSync('bash', ['-c', `printf '%s\\0' ${quoted.join(' ')}`], { encoding: 'utf8' });
  expect(printed.split('\0').slice(0, -1)).toEqual(words);
});

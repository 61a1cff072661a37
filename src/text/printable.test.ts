import { expect, test } from 'vitest';
import { printable, printableJson, printableLines } from './printable.ts';

const odd = 'a\u001b[31mb\u0007\n\r\t\u007f\u009bc\u202e\u2066\u2028\ud800 é😀';

test('what a terminal would act on is shown as an escape, and the rest as it is', () => {
  expect(printable(odd)).toBe(String.raw`a\x1b[31mb\x07\n\r\t\x7f\x9bc\u202e\u2066\u2028\ud800 é😀`);
  expect(printable(printable(odd))).toBe(printable(odd));
});

test('lines stay where they are wanted', () => {
  expect(printableLines('one\u001b\r\ntwo\rthree\nfour')).toBe('one\\x1b\ntwo\\rthree\nfour');
});

test('JSON says the same without a sign that cannot be shown', () => {
  const json = printableJson(JSON.stringify({ [odd]: [odd] }, undefined, 2));
  expect(json.replaceAll('\n', '')).toBe(printable(json.replaceAll('\n', '')));
  expect(JSON.parse(json)).toEqual({ [odd]: [odd] });
});

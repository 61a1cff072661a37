import fc from 'fast-check';
import { expect, test } from 'vitest';
import { widthOf } from './width.ts';
import { wrap, wrapHanging, wrapLine } from './wrap.ts';

test('a line is broken between words, and continued below its text', () => {
  expect(wrapLine('violated  one leader: n1 and n2 both lead', 25)).toEqual([
    'violated  one leader: n1',
    '          and n2 both',
    '          lead',
  ]);
  expect(wrapLine('          one two three', 18)).toEqual(['          one two', '          three']);
  expect(wrapLine('no effect cut, 1 of 4: nothing was sent', 30)).toEqual([
    'no effect cut, 1 of 4: nothing',
    '          was sent',
  ]);
  expect(wrapLine('violated  one leader')).toEqual(['violated  one leader']);
});

test('a command stays whole, because it may be copied, and so does a path', () => {
  const command = 'npx culprit replay .culprit/mutual-exclusion-8dfc.min.trace';
  expect(wrapLine(`replay    ${command}`, 40)).toEqual([`replay    ${command}`]);
  expect(wrapLine(`stopped   before it was minimal: ${command}`, 40)).toEqual([
    'stopped   before it was minimal:',
    `          ${command}`,
  ]);
  expect(wrapLine('saved     .culprit/mutual-exclusion-8dfc.trace, as found', 30)).toEqual([
    'saved     .culprit/mutual-exclusion-8dfc.trace,',
    '          as found',
  ]);
});

test('wide characters count twice, and text without spaces is broken anywhere', () => {
  expect(wrap('節点一は 節点二を 待つ', 12)).toEqual(['節点一は', '節点二を', '待つ']);
  expect(wrap('節点一は節点二を待つ', 8)).toEqual(['節点一は', '節点二を', '待つ']);
});

test('no line is wider than asked for, and no word is lost', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'é', '節', 'e\u0301', '-'), minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(fc.array(word, { maxLength: 20 }), fc.integer({ min: 20, max: 60 }), (words, width) => {
      const lines = wrap(words.join(' '), width);
      const isWordAlone = (line: string): boolean => !/[ 節]/.test(line);
      expect(lines.filter((line) => widthOf(line) > width && !isWordAlone(line))).toEqual([]);
      expect(lines.join('').replaceAll(' ', '')).toBe(words.join(''));
    }),
    { seed: 1 },
  );
});

test('lines of a list continue below their text, behind numbers and marks', () => {
  const lines = [
    '    31  s1 → c1  packet_in (ping h1 → h2 at port 2)',
    's1: 1 of 1 flow_mod',
    '      + s2: port 2 is down',
  ];
  expect(wrapHanging(lines, 24)).toEqual([
    '    31  s1 → c1',
    '        packet_in (ping',
    '        h1 → h2 at port',
    '        2)',
    's1: 1 of 1 flow_mod',
    '      + s2: port 2 is',
    '        down',
  ]);
  expect(wrapHanging(lines)).toEqual(lines);
});

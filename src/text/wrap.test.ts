import { expect, test } from 'vitest';
import { wrapHanging } from './wrap.ts';

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

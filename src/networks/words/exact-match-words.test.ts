import { expect, test } from 'vitest';
import { matchWords } from './flow-words.ts';
import { StationNames } from './station-names.ts';

const names = new StationNames([
  { name: 'h1', addresses: ['00:00:00:00:00:01', '10.0.0.1'] },
  { name: 'h2', addresses: ['00:00:00:00:00:02', '10.0.0.2'] },
]);

const ping = {
  inPort: 1,
  dlSrc: '00:00:00:00:00:01',
  dlDst: '00:00:00:00:00:02',
  dlVlan: 'none',
  dlType: 0x08_00,
  nwTos: 0,
  nwProto: 1,
  nwSrc: '10.0.0.1',
  nwDst: '10.0.0.2',
  tpSrc: 8,
  tpDst: 0,
};

test.each([
  [{}, 'port 1, exactly (ping h1 → h2)'],
  [{ tpSrc: 0 }, 'port 1, exactly (ping reply h1 → h2)'],
  [{ nwProto: 6, tpSrc: 10_001, tpDst: 80 }, 'port 1, exactly (TCP h1 → h2 (10001 → 80))'],
])('a match without wildcards names its packets: %j', (changes, words) => {
  expect(matchWords({ ...ping, ...changes }, names)).toBe(words);
});

test.each([
  { tpDst: undefined },
  { nwSrc: '10.0.0.2' },
  { nwTos: 4 },
  { dlVlan: 3 },
  { tpSrc: 3 },
  { tpDst: 1 },
  { nwProto: 50 },
  { dlType: 0x08_06 },
])('a match lists its fields if words would leave something open: %j', (changes) => {
  expect(matchWords({ ...ping, ...changes }, names)).toContain('dl_src h1, dl_dst h2');
});

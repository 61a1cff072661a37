import { expect, test } from 'vitest';
import { StationNames } from '../../../src/networks/words/station-names.ts';
import { tableIn } from './flow-table.ts';

const names = new StationNames([{ name: 'h2', addresses: ['00:00:5e:00:53:02'] }]);
const entry = (match: object): object => ({ match, priority: 1, actions: [{ type: 'output', port: 3 }] });
const stateWith = (entries: readonly object[]): object => ({ table: { entries }, ports: [{ desc: { portNo: 1 } }] });

test('a flow table has its entries in words, and what the event added or removed', () => {
  const [first, second, third] = [entry({ inPort: 1 }), entry({ dlDst: '00:00:5e:00:53:02' }), entry({})];
  expect(tableIn(stateWith([first, third]), stateWith([first, second]), names)).toEqual({
    entries: [
      { text: 'port 1 → output 3, priority 1', how: 'same', isHit: false },
      { text: 'any packet → output 3, priority 1', how: 'new', isHit: false },
      { text: 'dl_dst h2 → output 3, priority 1', how: 'gone', isHit: false },
    ],
    total: 2,
    ports: [{ number: '1', isUp: true, config: [] }],
  });
});

test('an entry is hit by the packets that it counts', () => {
  const counting = (packetCount: number, inPort: number): object => ({ ...entry({ inPort }), packetCount });
  const [before, after] = [
    stateWith([counting(2, 1), counting(5, 2)]),
    stateWith([counting(3, 1), counting(5, 2), counting(1, 3), counting(0, 4)]),
  ];
  expect(tableIn(after, before, names)?.entries.map(({ isHit }) => isHit)).toEqual([true, false, true, false]);
});

test('a process that just started has no new entries, and one without a table has no table', () => {
  const state = stateWith([entry({})]);
  expect(tableIn(state, { $nothing: true }, names)?.entries.map(({ how }) => how)).toEqual(['same']);
  expect(tableIn(state, undefined, names)?.entries.map(({ how }) => how)).toEqual(['same']);
  for (const other of [undefined, null, 'text', { $nothing: true }, { table: 3 }, { table: { entries: [] } }])
    expect(tableIn(other, state, names)).toBeUndefined();
});

test('of a very large table, the beginning is looked at', () => {
  const all = Array.from({ length: 5_000 }, (_, inPort) => entry({ inPort }));
  const { entries, total } = tableIn(stateWith(all), stateWith(all.slice(1)), names) ?? { entries: [], total: 0 };
  expect([entries.length, total, new Set(entries.map(({ how }) => how))]).toEqual([1_000, 5_000, new Set(['same'])]);
});

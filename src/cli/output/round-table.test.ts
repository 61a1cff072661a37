import { expect, test } from 'vitest';
import type { ReplaySample } from '../../replay/sampled-replay.ts';
import { roundTable } from './round-table.ts';

const sample = (replays: number): Parameters<typeof roundTable>[0] => ({
  byReplay: Array.from({ length: replays }, (_, at) => ({
    outcome: at === 1 ? 'not reproduced' : 'reproduced',
    early: at === 2,
  })) as unknown as ReplaySample['byReplay'],
  byRound: Array.from({ length: replays }, (_, at) => [
    { round: 1, matched: 10 + at, absent: 0, unexpected: 2 },
    ...(at === 0 ? [{ round: 3, matched: 4, absent: 1, unexpected: 0 }] : []),
  ]),
});

test('replays are columns, and rounds are rows', () => {
  expect(roundTable(sample(3)).slice(0, -1)).toEqual([
    'replay            1        2        3',
    'outcome    violated    holds    early',
    'round 1      10/0/2   11/0/2   12/0/2',
    'round 3       4/1/0    0/0/0    0/0/0',
  ]);
});

test('replays for which there is no room are in further tables', () => {
  const lines = roundTable(sample(10), 60).slice(0, -1);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(60);
  expect(lines.filter((line) => line.startsWith('replay'))).toEqual([
    'replay            1        2        3        4        5',
    'replay            6        7        8        9       10',
  ]);
  expect(lines).toHaveLength(8);
});

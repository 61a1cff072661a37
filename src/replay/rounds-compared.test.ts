import { expect, test } from 'vitest';
import type { Event } from '../trace/event.ts';
import type { Trace } from '../trace/format.ts';
import { comparedByRound } from './rounds-compared.ts';

const at = (atMs: number, kind: 'fire' | 'crash' = 'fire'): Event =>
  kind === 'crash'
    ? { kind, process: 'a', cause: -1, hi: 0, lo: 0, atMs }
    : { kind, process: 'a', cause: -1, hi: 0, lo: 0, atMs, timer: 't', deadlineMs: 0, everyMs: 0 };

test('each event counts in its round: recorded ones at their recorded time, new ones at their own', () => {
  const recorded = [at(1000), at(1050), at(1099), at(1100), at(1150, 'crash'), at(1310)];
  const replayed = { events: [at(5000), at(5199), at(5299)] } as unknown as Trace;
  const report = { appeared: new Set([0, 1, 3, 4]), absent: new Set([2, 5]), unexpected: [1, 2] };
  expect(comparedByRound(recorded, replayed, report, 100)).toEqual([
    { round: 1, matched: 2, absent: 1, unexpected: 0 },
    { round: 2, matched: 1, absent: 0, unexpected: 1 },
    { round: 3, matched: 0, absent: 0, unexpected: 1 },
    { round: 4, matched: 0, absent: 1, unexpected: 0 },
  ]);
});

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { exhibitOf } from 'culprit/report';
import { align, readTrace, type Trace } from 'culprit/trace';
import { Desk } from './desk.ts';
import { foldWords } from './folds.ts';
import { Scene } from './scene.ts';

const raft = readTrace(readFileSync('cases/raft/best/raft-58a.trace', 'utf8'), 'raft-58a.trace');
const minimized = { from: '0'.repeat(16), events: 200, externals: 3, schedules: 162, passes: ['drop'] };
const asMinimized = (trace: Trace): Trace => ({ ...trace, header: { ...trace.header, minimized } });
const sceneOf = (...traces: Trace[]): Scene =>
  new Scene(exhibitOf(traces.map((trace, at) => ({ file: `${at}.trace`, trace }))));

/** The folds of a scene in words, with the number of the row. */
function folds(scene: Scene): string[] {
  const { rows } = Desk.at(scene).change({ isFolding: true });
  return Array.from({ length: rows.length }, (_, row) => {
    const fold = rows.foldAt(row);
    return fold === undefined ? '' : `${row + 1}: ${foldWords(fold, rows.foldedAt(row), scene)}`;
  }).filter(Boolean);
}

test('what only one of two executions has is folded, and nothing of a minimized one', () => {
  const short: Trace = { ...raft, events: raft.events.slice(0, 20) };
  expect(align(short, raft).rows.filter(({ how }) => how === 'right')).toHaveLength(20);
  expect(folds(sceneOf(asMinimized(short), raft))).toEqual(['21: 20 events only in 1.trace']);
  expect(folds(sceneOf(raft, short))).toEqual(['21: 20 events only in 0.trace']);
  expect(folds(sceneOf(short, asMinimized(raft)))).toEqual([]);
});

test('repetitions are folded after their first round', () => {
  const [first] = raft.events;
  if (first === undefined) throw new Error('there are no events');
  const again = Array.from({ length: 9 }, () => first);
  const events = [...again, ...raft.events.slice(1)].map((line, at) => ({ ...line, event: at + 1, cause: 0 }));
  const verdict = { verdict: 'holds' as const, name: raft.verdict.name, ending: 'finished' as const };
  expect(folds(sceneOf({ ...raft, events, verdict }))).toEqual(['2: the event above, 8 more times']);
});

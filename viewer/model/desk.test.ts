import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { exhibitOf } from 'culprit/report';
import { Causality, eventOf, readTrace, type Trace } from 'culprit/trace';
import { Desk } from './desk.ts';
import { moves } from './keys.ts';
import { Scene } from './scene.ts';

const load = (name: string): Trace => readTrace(readFileSync(`cases/raft/best/${name}.trace`, 'utf8'), name);
const raft = load('raft-58a');
const sceneOf = (...traces: Trace[]): Scene => new Scene(exhibitOf(traces.map((trace) => ({ file: 'x', trace }))));

/** The number, from 1, of the event that these keys lead to. */
function press(desk: Desk, ...keys: string[]): Desk {
  return keys.reduce((now, key) => moves[key]?.(now) ?? now, desk);
}
const at = (desk: Desk): string => `${desk.settings.cursor.side === 1 ? 'b' : ''}${desk.settings.cursor.event + 1}`;

let desk: Desk;
beforeAll(() => {
  desk = Desk.at(sceneOf(raft));
});

describe('steps', () => {
  test.each([
    [[], '40'],
    [['ArrowDown'], '40'],
    [['ArrowUp'], '39'],
    [['k', 'k', 'j'], '39'],
    [['Home'], '1'],
    [['Home', 'ArrowUp'], '1'],
    [['Home', 'PageDown'], '21'],
    [['Home', 'End'], '40'],
    [['Home', 'n'], '3'],
    [['Home', 'n', 'n', 'p'], '3'],
    [['Home', 'p'], '1'],
    [['Home', 'v'], '40'],
    [['ArrowRight'], '40'],
  ])('%j lead to %s', (keys, event) => expect(at(press(desk, ...keys))).toBe(event));

  test('an address that is out of bounds leads to the nearest event', () => {
    expect(at(desk.go({ side: 0, event: 1_000 }))).toBe('40');
    expect(at(desk.go({ side: 0, event: -5 }))).toBe('1');
  });
});

describe('past and future', () => {
  test('follow happens-before', () => {
    const causality = new Causality(raft.events.map(eventOf));
    for (const event of [0, 11, 20, 39]) {
      const expected = raft.events.map((_, other) => {
        if (other === event) return 'self';
        if (causality.happensBefore(other, event)) return 'past';
        return causality.happensBefore(event, other) ? 'future' : 'concurrent';
      });
      expect(desk.go({ side: 0, event }).standings).toEqual(expected);
    }
  });

  test('are shown alone on request, and follow the cursor', () => {
    const cone = press(desk.go({ side: 0, event: 23 }), 'c');
    const shown = (now: Desk): number[] => Array.from({ length: now.rows.length }, (_, row) => now.rows.lineAt(row));
    const related = (now: Desk): number[] =>
      now.standings.flatMap((standing, event) => (standing === 'concurrent' ? [] : event));
    expect(cone.rows.length).toBeLessThan(40);
    expect(shown(cone)).toEqual(related(cone));
    const moved = cone.toRow(0);
    expect(moved.rows.length).not.toBe(cone.rows.length);
    expect(shown(moved)).toEqual(related(moved));
  });
});

describe('search', () => {
  test('goes through its matches and wraps around', () => {
    const sought = desk.change({ query: ' VOTEDfor ' });
    const votes = raft.events.filter(({ changes = [] }) => changes.some(([pointer]) => pointer === '/votedFor'));
    const born = raft.events.filter(({ kind }) => kind === 'start');
    const events = [...votes, ...born]
      .map(({ event }) => event)
      .toSorted((a, b) => a - b)
      .map(String);
    expect(events.length).toBeGreaterThan(2);
    expect(sought.found.map((line) => String(line + 1))).toEqual(events);
    const there: string[] = [];
    for (let now = sought.find(1); there.length < events.length; now = now.find(1)) there.push(at(now));
    expect(there).toEqual(events);
    expect(at(sought.find(-1))).toBe(events.at(-1));
  });

  test('finds nothing without a query or a match', () => {
    expect(desk.change({ query: '  ' }).found).toEqual([]);
    expect(at(desk.change({ query: 'no such thing' }).find(1))).toBe('40');
  });
});

describe('filters', () => {
  const events = (now: Desk): string[] =>
    Array.from({ length: now.rows.length }, (_, row) => String(raft.events[now.rows.lineAt(row)]?.process));

  test('show the chosen processes and sorts only', () => {
    expect(new Set(events(desk.change({ processes: new Set(['node-2']) })))).toEqual(new Set(['node-2']));
    const votes = desk.change({ sorts: new Set(['VoteCandidate']), processes: new Set(['node-1', 'node-2']) });
    expect(votes.rows.length).toBe(
      raft.events.filter(
        (line) =>
          line.kind === 'deliver' &&
          line.process !== 'node-3' &&
          (line.message as { type: string }).type === 'VoteCandidate',
      ).length,
    );
    expect(votes.rows.length).toBeGreaterThan(1);
  });

  test('steps from a hidden event go to its neighbors', () => {
    const hidden = desk.go({ side: 0, event: 20 }).change({ processes: new Set(['node-1']) });
    const own = raft.events.filter(({ process }) => process === 'node-1').map(({ event }) => event);
    expect(at(hidden.step(1))).toBe(String(own.find((event) => event > 21)));
    expect(at(hidden.step(-1))).toBe(String(own.findLast((event) => event < 21)));
  });

  test('are cleared by a link to an event that they hide', () => {
    const filtered = desk.change({ processes: new Set(['node-1']) });
    const there = filtered.go({ side: 0, event: 3 });
    expect(raft.events[3]?.process).toBe('node-2');
    expect([at(there), there.rows.length]).toEqual(['4', 40]);
  });

  test('that match nothing show no row, and steps stay', () => {
    const none = desk.change({ processes: new Set(['nobody']) });
    expect(none.rows.length).toBe(0);
    expect(at(press(none, 'j', 'k', 'Home', 'End', 'PageDown'))).toBe('40');
  });
});

describe('folds', () => {
  /** A violation that concerns a process whose last event is early: most events are irrelevant. */
  const early = { ...raft, events: raft.events.slice(0, 24), verdict: { ...raft.verdict, processes: [] } } as Trace;

  test('hide stretches that did not lead to the violation, if switched on', () => {
    const folded = press(Desk.at(sceneOf(early)), 'f');
    const folds = Array.from({ length: folded.rows.length }, (_, row) => folded.rows.foldedAt(row)).filter(Boolean);
    expect(folds.length).toBeGreaterThan(0);
    const idle = folded.scene.execution(0).relevance?.filter((mark) => mark === 0).length ?? 0;
    expect(folds.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(idle);
    expect(folded.rows.length).toBe(24 - folds.reduce((sum, count) => sum + count - 1, 0));
  });

  test('count as one step, and Enter or a link into them opens them', () => {
    const folded = press(Desk.at(sceneOf(early)), 'f');
    const row = Array.from({ length: folded.rows.length }, (_, place) => place).find(
      (place) => folded.rows.foldedAt(place) > 0,
    );
    const on = folded.toRow(row as number);
    expect(on.folded).toBeGreaterThan(2);
    const opened = press(on, 'Enter');
    expect(opened.rows.length).toBe(folded.rows.length + on.folded - 1);
    expect(at(opened)).toBe(at(on));
    expect(folded.go(on.settings.cursor).rows.length).toBe(opened.rows.length);
    expect(press(opened, 'f', 'f').rows.length).toBe(folded.rows.length);
  });

  test('keep differences between two executions', () => {
    const idle = Desk.at(sceneOf(early)).scene;
    const gone = early.events.findIndex((_, event) => event > 2 && idle.isIdle(event));
    const pair = press(Desk.at(sceneOf(early, { ...early, events: early.events.toSpliced(gone, 1) })), 'f');
    const { lines } = pair.scene;
    const alone = lines.lineOf(0, gone);
    expect(lines.how(alone)).toBe('left');
    expect(pair.rows.foldedAt(pair.rows.rowOf(alone))).toBe(0);
  });

  test('are on by default for long executions only', () => {
    expect(desk.settings.isFolding).toBe(false);
    const long = { ...raft, events: Array.from({ length: 4 }, () => raft.events).flat() };
    expect(Desk.at(sceneOf(long)).settings.isFolding).toBe(true);
  });
});

describe('two executions', () => {
  const other = load('raft-58b');
  const pair = Desk.at(sceneOf(raft, other));

  test('begin at their divergence', () => {
    expect(at(Desk.at(sceneOf(raft, raft)))).toBe('40');
    const cut = { ...raft, events: raft.events.filter(({ event }) => event !== 30) };
    expect(at(Desk.at(sceneOf(raft, cut)))).toBe('30');
    expect(at(Desk.at(sceneOf(cut, raft)))).toBe('b30');
  });

  test('have every event on its own line or beside its match, both in order', () => {
    const { lines } = pair.scene;
    for (const [side, { events }] of [raft, other].entries()) {
      const on = Array.from({ length: lines.length }, (_, line) => lines.eventOn(line, side as 0 | 1));
      expect(on.filter((event) => event >= 0)).toEqual(events.map((_, event) => event));
      const back = events.map((_, event) => lines.lineOf(side as 0 | 1, event));
      expect(back).toEqual(on.flatMap((event, line) => (event >= 0 ? line : [])));
    }
  });

  test('have a last event on each side at any line', () => {
    const { lines } = pair.scene;
    for (const side of [0, 1] as const) {
      const before = Array.from({ length: lines.length }, (_, line) => lines.eventOn(line, side));
      const latest = before.map((_, line) => Math.max(-1, ...before.slice(0, line + 1)));
      expect(before.map((_, line) => lines.latestOn(line, side))).toEqual(latest);
    }
  });

  test('are stepped through together, and the arrow keys left and right change sides', () => {
    const seen = new Set<string>();
    let now = press(pair, 'Home');
    for (let step = 0; step < pair.rows.length; step++, now = press(now, 'j')) seen.add(at(now)[0] === 'b' ? 'b' : 'a');
    expect(seen).toEqual(new Set(['a', 'b']));
    expect(at(press(pair, 'Home', 'ArrowRight'))).toBe('b1');
    expect(at(press(pair, 'Home', 'ArrowRight', 'ArrowLeft'))).toBe('1');
  });
});

describe('another exhibit in its place', () => {
  const shorter = { ...raft, events: raft.events.filter(({ event }) => event > 5) };

  test('keeps the cursor on the same event, or at the end', () => {
    expect(at(desk.go({ side: 0, event: 9 }).replace(sceneOf(shorter)))).toBe('5');
    expect(at(desk.go({ side: 0, event: 2 }).replace(sceneOf(shorter)))).toBe('35');
    expect(at(desk.replace(sceneOf(shorter)))).toBe('35');
    const first = { ...raft, events: raft.events.slice(0, 20) };
    expect(at(Desk.at(sceneOf(first)).replace(sceneOf(raft)))).toBe('40');
    expect(at(press(Desk.at(sceneOf(raft, raft)), 'Home', 'ArrowRight').replace(sceneOf(raft)))).toBe('1');
  });

  test('keeps the search and the filters', () => {
    const set = desk.change({ query: 'vote', processes: new Set(['node-1']) }).replace(sceneOf(shorter));
    expect([set.settings.query, [...set.settings.processes]]).toEqual(['vote', ['node-1']]);
    expect(set.found.length).toBeGreaterThan(0);
  });
});

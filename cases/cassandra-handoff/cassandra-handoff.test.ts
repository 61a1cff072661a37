import { BadParameter, minimize, replay, search, type Effect } from 'culprit';
import { explainLines } from 'culprit/report';
import { readTrace } from 'culprit/trace';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import handoff from './cassandra-handoff.system.ts';
import type { Message } from './messages.ts';
import type { Node } from './node.ts';
import { rulesFor } from './rules.ts';

const stored = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');

const bug = 'cassandra-3395';
const stale = 'the client reads c1, but c2 was acknowledged before it asked';
const hunted = { strategy: 'random', seed: 3_000 } as const;

describe('cassandra-3395', () => {
  test('is found, and minimized to 24 events', async () => {
    const { findings } = await search(handoff, { ...hunted, set: { bug } });
    expect(findings.map(({ trace, executions }) => [executions, trace.events.length])).toEqual([[87, 28]]);
    const [found] = findings;
    if (found === undefined) throw new Error('nothing was found');
    const { trace, certificate } = await minimize(handoff, found.trace, { proofStates: 100_000 });
    expect(trace.verdict).toMatchObject({ oracle: 'readsNewest', message: stale });
    expect([trace.events.length, certificate]).toEqual([24, 'shortest']);
  });

  test.each([{ crashes: 0 }, { restarts: 0 }])('is not found with %j', async (budget) => {
    const report = await search(handoff, { ...hunted, set: { bug, ...budget }, executions: 1_000 });
    expect(report).toMatchObject({ findings: [], executions: 1_000, unknown: 0 });
  });

  test('is not found if it is switched off, although hints are kept and handed over', async () => {
    const report = await search(handoff, { ...hunted, executions: 1_000 });
    expect(report).toMatchObject({ findings: [], executions: 1_000, unknown: 0 });
    expect(report.coverage).toMatchObject({ never: [], marksMissed: [] });
  });

  test('is not found with more crashes if it is switched off', async () => {
    const report = await search(handoff, { ...hunted, set: { crashes: 3, restarts: 3 }, executions: 1_000 });
    expect(report).toMatchObject({ findings: [], executions: 1_000, unknown: 0 });
  });

  test('is shown in the README as it is stored', async () => {
    const path = `best/${bug}.trace`;
    const trace = readTrace(stored(path), path);
    expect(await replay(handoff, trace)).toEqual(trace);
    expect(stored('README.md')).toContain(
      ['', `$ culprit explain cases/cassandra-handoff/${path} --no-why`, ...explainLines(trace), ''].join('\n'),
    );
  });
});

describe('the rules', () => {
  const replicas = ['node-1', 'node-2', 'node-3'];
  const idle: Node = { row: ['c1'], acks: {}, hints: {}, slices: null };

  test.each<[Message, Partial<Node>, Effect]>([
    [{ type: 'mutation', column: 'c1' }, {}, 'discards'],
    [{ type: 'mutation', column: 'c2' }, {}, 'modifies'],
    [{ type: 'applied', column: 'c1' }, {}, 'discards'],
    [{ type: 'applied', column: 'c1' }, { hints: { 'node-3': ['c1'] } }, 'modifies'],
    [{ type: 'applied', column: 'c1' }, { acks: { c1: 0 } }, 'counts'],
    [{ type: 'applied', column: 'c1' }, { acks: { c1: 1 } }, 'modifies'],
    [{ type: 'sliced', columns: ['c1'] }, {}, 'discards'],
    [{ type: 'sliced', columns: ['c1'] }, { slices: {} }, 'counts'],
    [{ type: 'sliced', columns: ['c1'] }, { slices: { 'node-1': ['c1'] } }, 'modifies'],
    [{ type: 'slice' }, {}, 'modifies'],
  ])('%j, with %j: %s', (message, state, effect) => {
    const receiver = { name: 'node-1', up: true, state: { ...idle, ...state }, restarts: 0, disk: new Map() };
    expect(rulesFor(replicas).message?.(message, receiver, 'node-2')).toBe(effect);
  });
});

test('an unknown bug is an error', async () => {
  await expect(search(handoff, { set: { bug: 'cassandra-1' } })).rejects.toThrow(BadParameter);
});

import { BadParameter, minimize, replay, search, type Effect } from 'culprit';
import { explainLines } from 'culprit/report';
import { readTrace } from 'culprit/trace';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import gossip from './cassandra-gossip.system.ts';
import type { Heartbeat, Message } from './messages.ts';
import { rules } from './rules.ts';

const stored = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');

const bug = 'cassandra-3626';
const stuck = 'node-1 takes node-3 for alive, which is down, and its failure detector has no sample of it';
const hunted = { strategy: 'random', seed: 3_000 } as const;

describe('cassandra-3626', () => {
  test('is found, and minimized to 12 events', async () => {
    const { findings } = await search(gossip, { ...hunted, set: { bug } });
    expect(findings.map(({ trace, executions }) => [executions, trace.events.length])).toEqual([[524, 19]]);
    const [found] = findings;
    if (found === undefined) throw new Error('nothing was found');
    const { trace, certificate } = await minimize(gossip, found.trace);
    expect(trace.verdict).toMatchObject({ oracle: 'canBeConvicted', message: stuck });
    expect([trace.events.length, certificate]).toEqual([12, '1-minimal']);
  });

  test.each([{ crashes: 1 }, { restarts: 0 }])('is not found with %j', async (budget) => {
    const report = await search(gossip, { ...hunted, set: { bug, ...budget }, executions: 2_000 });
    expect(report).toMatchObject({ findings: [], executions: 2_000, unknown: 0 });
  });

  test('is not found if it is switched off, although nodes are convicted and come back', async () => {
    const report = await search(gossip, { ...hunted, executions: 2_000 });
    expect(report).toMatchObject({ findings: [], executions: 2_000, unknown: 0 });
    expect(report.coverage).toMatchObject({ never: [], marksMissed: [] });
  });

  test('is not found with more rounds and crashes if it is switched off', async () => {
    const set = { rounds: 2, crashes: 3, restarts: 3 };
    const report = await search(gossip, { ...hunted, set, executions: 1_000 });
    expect(report).toMatchObject({ findings: [], executions: 1_000, unknown: 0 });
  });

  test('is shown in the README as it is stored', async () => {
    const path = `best/${bug}.trace`;
    const trace = readTrace(stored(path), path);
    expect(await replay(gossip, trace)).toEqual(trace);
    expect(stored('README.md')).toContain(
      ['', `$ culprit explain cases/cassandra-gossip/${path} --no-why`, ...explainLines(trace), ''].join('\n'),
    );
  });
});

describe('the rules', () => {
  const at = (version: number): Heartbeat => ({ generation: 0, version });
  const known = { 'node-1': at(1), 'node-2': at(1) };
  const sampled = ['node-2'];

  test.each<[Message, string[], Effect]>([
    [{ type: 'syn', digests: known }, sampled, 'discards'],
    [{ type: 'syn', digests: known }, [], 'modifies'],
    [{ type: 'syn', digests: { 'node-2': at(2) } }, sampled, 'modifies'],
    [{ type: 'syn', digests: { 'node-2': at(0) } }, sampled, 'modifies'],
    [{ type: 'syn', digests: { 'node-3': at(0) } }, sampled, 'modifies'],
    [{ type: 'ack', lacks: [], news: { 'node-2': at(1) } }, sampled, 'discards'],
    [{ type: 'ack', lacks: ['node-1'], news: {} }, sampled, 'modifies'],
    [{ type: 'ack', lacks: [], news: { 'node-2': { generation: 1, version: 0 } } }, sampled, 'modifies'],
    [{ type: 'ack2', news: { 'node-2': at(1) } }, sampled, 'discards'],
    [{ type: 'ack2', news: { 'node-2': at(2) } }, sampled, 'modifies'],
    [{ type: 'down' }, sampled, 'modifies'],
  ])('%j, with samples of %j: %s', (message, samples, effect) => {
    const state = { known, alive: ['node-2'], sampled: samples };
    const receiver = { name: 'node-1', up: true, state, restarts: 0, disk: new Map() };
    expect(rules.message?.(message, receiver, 'node-2')).toBe(effect);
  });
});

test('an unknown bug is an error', async () => {
  await expect(search(gossip, { set: { bug: 'cassandra-1' } })).rejects.toThrow(BadParameter);
});

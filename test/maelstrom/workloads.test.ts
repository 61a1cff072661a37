import { describe, expect, test } from 'vitest';
import { defineSystem, search } from 'culprit';
import { maelstrom, type WorkloadName } from 'culprit/maelstrom';
import { broadcastNode } from '../twins/maelstrom/broadcast-node.ts';
import { storeNode, type StoreBug } from '../twins/maelstrom/store-node.ts';

const systemOf = (workload: WorkloadName, bug: StoreBug) =>
  defineSystem(
    maelstrom({
      workload,
      node: () => storeNode(workload, bug),
      nodes: 2,
      operations: 10,
      faults: { partitions: 1, crashes: 1 },
    }),
  );

describe('a node that keeps everything in services', () => {
  test.each([
    'echo',
    'unique-ids',
    'broadcast',
    'g-set',
    'g-counter',
    'pn-counter',
    'lin-kv',
    'txn-list-append',
    'txn-rw-register',
    'kafka',
  ] as const)('is right for %s', async (workload) => {
    const { findings, unknown, whyUnknown, executions } = await search(systemOf(workload, 'none'), { executions: 5 });
    expect(findings.map(({ trace }) => trace.verdict)).toEqual([]);
    expect(executions).toBe(5);
    expect([unknown, whyUnknown]).toEqual([0, undefined]);
  });

  test.each([
    ['echo', 'unheard of', /^protocol wrong answer$/],
    ['unique-ids', 'own numbers', /^unique-ids duplicate$/],
    ['broadcast', 'unheard of', /^(broadcast|finalState) unheard of$/],
    ['g-set', 'blind writes', /^finalState lost$/],
    ['g-counter', 'blind writes', /^finalState wrong sum$/],
    ['pn-counter', 'blind writes', /^finalState wrong sum$/],
    ['lin-kv', 'stale', /^lin-kv$/],
    ['lin-kv', 'last write wins', /^lin-kv$/],
    ['txn-list-append', 'blind writes', /^txn-list-append /],
    ['txn-list-append', 'torn', /^txn-list-append /],
    ['txn-rw-register', 'torn', /^txn-rw-register /],
    ['kafka', 'blind writes', /^(kafka inconsistent offsets|finalState lost write)$/],
    ['kafka', 'skips', /^(kafka skipped poll|finalState lost write)$/],
  ] as const)('that is wrong for %s with %s: %s', async (workload, bug, fingerprint) => {
    const { findings } = await search(systemOf(workload, bug), { executions: 300 });
    expect(findings[0]?.trace.verdict).toMatchObject({
      verdict: 'violated',
      fingerprint: expect.stringMatching(fingerprint) as string,
    });
  });
});

describe('broadcast between nodes', () => {
  const gossip = (retries: boolean) =>
    defineSystem(
      maelstrom({
        workload: 'broadcast',
        node: () => broadcastNode({ retries }),
        services: [],
        operations: 8,
        faults: { partitions: 1, losses: 1, duplicates: 1 },
      }),
    );

  test('with retries, every message reaches every node', async () => {
    const { findings, unknown, whyUnknown } = await search(gossip(true), { executions: 30 });
    expect(findings).toEqual([]);
    expect([unknown, whyUnknown]).toEqual([0, undefined]);
  });

  test('without, one is lost', async () => {
    const { findings } = await search(gossip(false), { executions: 30 });
    expect(findings[0]?.trace.verdict).toMatchObject({ verdict: 'violated', fingerprint: 'finalState lost' });
  });
});

import { BadPass, minimize, pipelineNames, search } from 'culprit';
import type { Trace } from 'culprit/trace';
import { beforeAll, describe, expect, test } from 'vitest';
import { longFailures } from '../../cases/raft/long-failures.ts';
import raft from '../../cases/raft/raft.system.ts';

const SEED = 1682;
let trace: Trace;

beforeAll(async () => {
  const set = { bug: 'raft-66', ...longFailures['raft-66'].set };
  const { findings } = await search(raft, { seed: SEED, executions: 1, eventsMax: 3000, strategy: 'random', set });
  trace = findings[0]?.trace as Trace;
});

/** How many events and externals are left, after how many schedules. */
async function left(...passes: readonly string[]): Promise<readonly number[]> {
  const { stages, schedules } = await minimize(raft, trace, {
    schedules: 3_000,
    ...(passes.length > 0 ? { passes } : {}),
  });
  return [stages.at(-1)?.events ?? 0, stages.at(-1)?.externals ?? 0, schedules];
}

describe('pipelines', () => {
  test.each<[string, readonly number[]]>([
    ['provenance', [363, 45, 2]],
    ['nodiverge', [86, 10, 407]],
    ['stssched', [77, 10, 398]],
    ['tfb', [40, 10, 1524]],
  ])('%s leaves so much', async (name, expected) => {
    expect(await left(name)).toEqual(expected);
  });

  test('ours is what there is without any', async () => {
    expect(await left('ours')).toEqual(await left());
  });

  test('have names', () => {
    expect(pipelineNames).toEqual(['provenance', 'stssched', 'nodiverge', 'tfb', 'ours']);
  });

  test('may be followed by passes', async () => {
    const { stages } = await minimize(raft, trace, { passes: ['stssched', 'single:type'], schedules: 450 });
    expect(stages.slice(0, 5).map(({ pass }) => pass)).toEqual([
      'verify',
      'provenance',
      'externals-by-halves:content:skip',
      'internals-singly:content:skip',
      'single:type',
    ]);
  });
});

describe('externals go in as many schedules', () => {
  test.each<[string, readonly number[]]>([
    ['externals', [293, 10, 108]],
    ['externals-by-halves', [293, 10, 45]],
    ['externals-by-cause', [293, 10, 48]],
  ])('with %s', async (name, expected) => {
    expect(await left(`${name}:type`)).toEqual(expected);
  });
});

test.each([
  ['nobody', /no pass called "nobody"/],
  ['externals:type:skip:twice', /no pass called/],
  ['externals:colour', /matches by something unknown/],
  ['externals:type:wait', /something unknown about events that cannot happen/],
])('%s is no pass', async (name, message) => {
  const minimizing = minimize(raft, trace, { passes: [name] });
  await expect(minimizing).rejects.toThrow(BadPass);
  await expect(minimizing).rejects.toThrow(message);
});

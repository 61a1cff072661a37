import { BadPass, pipelineNames, type MinimizeOptions, type PassName, type PipelineName } from 'culprit/kernel';
import { minimize, search, type Parameter } from 'culprit';
import type { Trace } from 'culprit/trace';
import { beforeAll, describe, expect, test } from 'vitest';
import { longFailures } from '../../cases/raft/long-failures.ts';
import raft from '../../cases/raft/raft.system.ts';

/** Messages of the first may overtake one another, those of the second may not. */
let [trace, inOrder]: (Trace | undefined)[] = [];

beforeAll(async () => {
  trace = await failing(1682, { bug: 'raft-66', ...longFailures['raft-66'].set });
  inOrder = await failing(229, { bug: 'raft-46', commands: 20 });
});

async function failing(seed: number, set: Readonly<Record<string, Parameter>>): Promise<Trace | undefined> {
  const { findings } = await search(raft, { seed, executions: 1, eventsMax: 3000, strategy: 'random', set });
  return findings[0]?.trace;
}

/** The number of remaining events and externals, and of schedules. */
async function left(
  from: Trace | undefined,
  ...passes: readonly (PassName | PipelineName)[]
): Promise<readonly number[]> {
  const { stages, schedules } = await minimize(raft, from as Trace, {
    schedules: 3_000,
    ...(passes.length > 0 ? { passes } : {}),
  });
  return [stages.at(-1)?.events ?? 0, stages.at(-1)?.externals ?? 0, schedules];
}

describe('pipelines', () => {
  test.each<[PipelineName, readonly number[]]>([
    ['provenance', [249, 28, 3]],
    ['nodiverge', [156, 8, 1017]],
    ['stssched', [140, 8, 936]],
    ['tfb', [42, 8, 859]],
  ])('%s leaves this many', async (name, expected) => {
    expect(inOrder?.events.length).toBe(251);
    expect(await left(inOrder, name)).toEqual(expected);
  });

  test('default is the same as no names', async () => {
    const stagesOf = async (passes?: MinimizeOptions['passes']): Promise<readonly unknown[]> => {
      const { stages } = await minimize(raft, trace as Trace, { schedules: 300, ...(passes && { passes }) });
      return stages.map(({ seconds: _seconds, ...stage }) => stage);
    };
    const stages = await stagesOf();
    expect(stages.length).toBeGreaterThan(2);
    expect(await stagesOf(['default'])).toEqual(stages);
  });

  test('have names', () => {
    expect(pipelineNames).toEqual(['provenance', 'stssched', 'nodiverge', 'tfb', 'default']);
  });

  test('may be followed by passes', async () => {
    const { stages } = await minimize(raft, trace as Trace, { passes: ['stssched', 'single:type'], schedules: 450 });
    expect(stages.slice(0, 5).map(({ pass }) => pass)).toEqual([
      'verify',
      'provenance',
      'externals-by-halves:content:skip',
      'internals-by-halves:content:skip',
      'single:type',
    ]);
  });
});

describe('externals are removed in as many schedules', () => {
  test.each<['externals' | 'externals-by-halves' | 'externals-by-cause', readonly number[]]>([
    ['externals', [293, 10, 108]],
    ['externals-by-halves', [293, 10, 45]],
    ['externals-by-cause', [293, 10, 48]],
  ])('with %s', async (name, expected) => {
    expect(await left(trace, `${name}:type`)).toEqual(expected);
  });
});

test.each([
  ['nobody', /no pass called "nobody"/],
  ['externals:type:skip:twice', /no pass called/],
  ['externals:color', /unknown matching/],
  ['externals:type:stop', /unknown absence policy/],
])('%s is no pass', async (name, message) => {
  const minimizing = minimize(raft, trace as Trace, { passes: [name as PassName] });
  await expect(minimizing).rejects.toThrow(BadPass);
  await expect(minimizing).rejects.toThrow(message);
});

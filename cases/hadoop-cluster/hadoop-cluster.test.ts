import { readFileSync } from 'node:fs';
import { BadParameter, minimize, recheck, replay, search } from 'culprit';
import { resolveSystem } from 'culprit/kernel';
import { explainLines } from 'culprit/report';
import { readTrace, writeTrace } from 'culprit/trace';
import { describe, expect, test } from 'vitest';
import hadoopCluster from './hadoop-cluster.system.ts';

const loop = /^ends: the world after event \d+ is that after event \d+: 2 events that can go on for ever$/;
const again =
  /^finishedIsFinished: the client was told that the application is finished, and the resource manager launches it again$/;

const said = ({ verdict }: { verdict: { verdict: string; oracle?: string; message?: string } }): string =>
  verdict.verdict === 'violated' ? `${verdict.oracle}: ${verdict.message}` : verdict.verdict;

const amountOf = (kind: string, events: readonly { kind: string }[]): number =>
  events.filter((event) => event.kind === kind).length;

describe('a hunt finds it in this many executions, with this many faults, and nothing without the bug:', () => {
  test.each([
    ['mapreduce-5489', loop, { executions: 53, seed: 52, strategy: 'pos', left: 24, crashes: 2, restarts: 1 }],
    ['mapreduce-5505', again, { executions: 188, seed: 187, strategy: 'pos', left: 16, crashes: 1, restarts: 1 }],
  ])('%s', async (bug, symptom, expected) => {
    const { findings, executions } = await search(hadoopCluster, { set: { bug, outages: 6 } });
    const [found] = findings;
    if (found === undefined) throw new Error('nothing was found');
    const { events, header, ...rest } = (await minimize(hadoopCluster, found.trace)).trace;
    expect(said(rest)).toMatch(symptom);
    expect({
      executions,
      seed: header.seed,
      strategy: found.strategy,
      left: events.length,
      crashes: amountOf('crash', events),
      restarts: amountOf('restart', events),
    }).toEqual(expected);
    const without = await search(hadoopCluster, { set: { outages: 6 }, executions });
    expect(without).toMatchObject({ findings: [], executions, unknown: 0 });
  });
});

test.each([
  [{ outages: 6 }, 21_075],
  [{ outages: 10, tasks: 2, nodes: 3 }, 31_425],
])('without a bug nothing is found, and every mark is reached: %j', async (set, events) => {
  const report = await search(hadoopCluster, { set, executions: 800 });
  expect(report).toMatchObject({ findings: [], unknown: 0, events });
  expect(report.coverage).toMatchObject({ never: [], marksMissed: [] });
});

describe('the shortest known execution', () => {
  const readme = readFileSync(new URL('README.md', import.meta.url), 'utf8');

  test.each([
    ['mapreduce-5489', loop, 20],
    ['mapreduce-5505', again, 16],
  ])('of %s replays as shown in the README, and passes without the bug', async (bug, symptom, length) => {
    const url = new URL(`best/${bug}.trace`, import.meta.url);
    const trace = readTrace(readFileSync(url, 'utf8'), url.pathname);
    const { header, events } = trace;
    expect(writeTrace(await replay(hadoopCluster, trace))).toBe(readFileSync(url, 'utf8'));
    expect(header.parameters['bug']).toBe(bug);
    expect(said(trace)).toMatch(symptom);
    expect(events.length).toBe(length);
    expect((await minimize(hadoopCluster, trace)).trace.events.length).toBe(length);
    const shown = explainLines(trace).join('\n');
    expect(readme).toContain(`$ culprit explain cases/hadoop-cluster/best/${bug}.trace --no-why\n${shown}\n\`\`\`\n`);
    const correct = { ...header, parameters: { ...header.parameters, bug: 'none' } };
    const { answer, ...rest } = await recheck(hadoopCluster, { ...trace, header: correct }, { neighbors: 100 });
    expect(['fixed', 'diverged']).toContain(answer);
    expect(rest).toMatchObject({ others: [] });
  });
});

test('an unknown bug is an error', () => {
  expect(() => resolveSystem(hadoopCluster, { bug: 'mapreduce-1' })).toThrow(BadParameter);
});

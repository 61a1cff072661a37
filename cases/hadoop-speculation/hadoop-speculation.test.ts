import { readFileSync } from 'node:fs';
import { BadParameter, minimize, recheck, replay, search } from 'culprit';
import { resolveSystem } from 'culprit/kernel';
import { explainLines } from 'culprit/report';
import { readTrace, writeTrace } from 'culprit/trace';
import { expect, test } from 'vitest';
import hadoopSpeculation from './hadoop-speculation.system.ts';

const bug = 'mapreduce-4748';
const message = 'am threw Error: invalid event: attemptSucceeded at succeeded';

test('a hunt finds the bug at once, and nothing is shorter than what is left', async () => {
  const { findings, executions } = await search(hadoopSpeculation, { set: { bug } });
  const [found] = findings;
  if (found === undefined) throw new Error('nothing was found');
  expect(executions).toBe(1);
  const { trace, certificate } = await minimize(hadoopSpeculation, found.trace);
  expect(trace.verdict).toMatchObject({ verdict: 'violated', oracle: 'noUncaughtException', message });
  expect([trace.events.length, certificate]).toEqual([17, 'shortest']);
});

test('on nodes that are not slow there is no second attempt, and no bug', async () => {
  const report = await search(hadoopSpeculation, { set: { bug, slowdowns: 0 }, executions: 500 });
  expect(report).toMatchObject({ findings: [], unknown: 0 });
  expect(report.coverage.marksMissed).toEqual(['speculates', 'kills']);
});

test.each([
  [{}, 22],
  [{ tasks: 2, slowdowns: 2, crashes: 2, restarts: 2 }, 916],
])('without the bug nothing is found, and all is reached: %j', async (set, distinct) => {
  const report = await search(hadoopSpeculation, { set, executions: 1_000 });
  expect(report).toMatchObject({ findings: [], unknown: 0, executions: 1_000 });
  expect(report.coverage).toMatchObject({ distinct, never: [], marksMissed: [] });
});

test('the shortest execution replays as shown in the README, and passes without the bug', async () => {
  const url = new URL(`best/${bug}.trace`, import.meta.url);
  const trace = readTrace(readFileSync(url, 'utf8'), url.pathname);
  const { header } = trace;
  expect(writeTrace(await replay(hadoopSpeculation, trace))).toBe(readFileSync(url, 'utf8'));
  expect(readFileSync(new URL('README.md', import.meta.url), 'utf8')).toContain(
    `$ culprit explain cases/hadoop-speculation/best/${bug}.trace --no-why\n${explainLines(trace).join('\n')}\n\`\`\`\n`,
  );
  const correct = { ...header, parameters: { ...header.parameters, bug: 'none' } };
  const { answer, ...rest } = await recheck(hadoopSpeculation, { ...trace, header: correct }, { neighbors: 100 });
  expect(['fixed', 'diverged']).toContain(answer);
  expect(rest).toMatchObject({ others: [] });
});

test('an unknown bug is an error', () => {
  expect(() => resolveSystem(hadoopSpeculation, { bug: 'mapreduce-1' })).toThrow(BadParameter);
});

import { readFileSync } from 'node:fs';
import { check, explainWhy, minimize, recheck, replay, search } from 'culprit';
import { stepAlong } from 'culprit/kernel';
import { diffLines, exportTrace, explainLines, whyLines } from 'culprit/report';
import { readTrace, writeTrace, type Trace } from 'culprit/trace';
import { describe, expect, test } from 'vitest';
import replicatedLog from './replicated-log.system.ts';

const url = new URL('best/counts-answers.trace', import.meta.url);
const text = readFileSync(url, 'utf8');
const best = readTrace(text, url.pathname);
const message = 'n1 has committed v1, which 2 of 5 nodes store';

const withParameters = (trace: Trace, changed: object): Trace => ({
  ...trace,
  header: { ...trace.header, parameters: { ...trace.header.parameters, ...changed } },
});

test('a hunt finds the bug, and nothing is shorter than the minimized execution', async () => {
  const { findings, executions } = await search(replicatedLog);
  const [found] = findings;
  if (found === undefined) throw new Error('nothing was found');
  expect([executions, found.trace.events.length]).toEqual([12, 12]);
  const { trace, certificate } = await minimize(replicatedLog, found.trace);
  expect(trace.verdict).toMatchObject({ verdict: 'violated', oracle: 'committedIsStored', message });
  expect([trace.events.length, certificate]).toEqual([9, 'shortest']);
  expect(trace.events).toEqual(best.events);
});

test('the shortest execution is the one in the documents, and replays to the byte', async () => {
  expect(writeTrace(await replay(replicatedLog, best))).toBe(text);
  for (const page of ['README.md', '../../docs/guide/port-a-class.md'])
    expect(readFileSync(new URL(page, import.meta.url), 'utf8')).toContain(
      `$ culprit explain cases/replicated-log/best/counts-answers.trace --no-why\n${explainLines(best).join('\n')}\n\`\`\`\n`,
    );
});

test('after a change of the code, the trace is fixed or diverged', async () => {
  const fixed = await recheck(replicatedLog, withParameters(best, { countsNodes: true }), { neighbors: 50 });
  expect(fixed).toMatchObject({ answer: 'fixed', others: [] });
  const diverged = await recheck(replicatedLog, withParameters(best, { nodes: 1 }), { neighbors: 50 });
  expect(diverged).toMatchObject({ answer: 'diverged', others: [] });
});

describe('a check', () => {
  const set = { nodes: 4, appends: 1, retries: 1, countsNodes: true };

  test('explores every execution of the correct log', async () => {
    const report = await check(replicatedLog, { set });
    expect([report.verdict, report.executions, report.redundant]).toEqual(['holds', 1_489, 0]);
  });

  test.each([
    ['race-reversal', 25],
    ['blackbox', 25],
    ['worlds', 8],
    ['breadth', 8],
  ] as const)('by %s says the same', async (by, executions) => {
    const small = { ...set, nodes: 3 };
    const correct = await check(replicatedLog, { set: small, search: by });
    expect([correct.verdict, correct.executions]).toEqual(['holds', executions]);
    const wrong = await check(replicatedLog, { set: { ...set, countsNodes: false }, search: by });
    expect(wrong.verdict).toBe('violated');
  });
});

test('it is explained, stepped through and shown', async () => {
  const why = whyLines(await explainWhy(replicatedLog, best, { seconds: 20 }), best, { width: 100 });
  expect(why[0]).toContain('committedIsStored is violated in nearly any order');

  const stepped = await stepAlong(replicatedLog, best, [
    'next 9',
    'state n1',
    'undo 3',
    'state n1',
    'redo 2',
    'state n2',
  ]);
  expect(stepped.filter((line) => line.startsWith('state '))).toEqual([
    'state     {committed: 1, entries: [v1]}',
    'state     {committed: 0, entries: [v1]}',
    'state     {committed: 0, entries: [v1]}',
  ]);

  expect(exportTrace(best, 'html')).toContain(message);
  expect(exportTrace(best, 'mermaid')).toContain('retry');
  const { findings } = await search(replicatedLog);
  const diff = diffLines(findings[0]?.trace as Trace, best).join('\n');
  expect(diff).toContain('committedIsStored');
});

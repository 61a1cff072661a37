import { readFileSync } from 'node:fs';
import { recheck, search } from 'culprit';
import { storyLines } from 'culprit/report';
import { readTrace } from 'culprit/trace';
import { beforeAll, expect, inject, test } from 'vitest';
import redisFailover from './redis-failover.system.ts';

const url = new URL('best/lost-write.trace', import.meta.url);
const best = readTrace(readFileSync(url, 'utf8'), url.pathname);

beforeAll(() => {
  const found = inject('programs').redisServer;
  if ('problem' in found) throw new Error(found.problem);
});

test('a hunt finds a write that is lost after a cut', async () => {
  const { findings, coverage } = await search(redisFailover, { executions: 40 });
  const [found] = findings;
  expect(found?.trace.verdict).toMatchObject({ verdict: 'violated', oracle: 'register' });
  expect(found?.trace.events.filter(({ kind }) => kind === 'cut')).toHaveLength(1);
  expect(coverage.faults['cut']?.effective).toBeGreaterThan(0);
});

test('the stored execution reproduces, and not without the cut', async () => {
  const answer = await recheck(redisFailover, best, { replays: 4 });
  expect(answer).toMatchObject({ answer: 'sampled', replays: 4, control: { reproduced: 0 } });
  expect('reproduced' in answer && answer.reproduced).toBeGreaterThan(0);
});

test('a client that waits for the replica loses nothing', async () => {
  const { findings, executions } = await search(redisFailover, { set: { waits: true }, executions: 4 });
  expect([executions, findings]).toEqual([4, []]);
});

test('the page shows the stored execution, and its four inputs', () => {
  const page = readFileSync(new URL('README.md', import.meta.url), 'utf8');
  expect(page).toContain(storyLines(best.events).join('\n'));
  const inputs = best.events.filter(({ kind }) => kind === 'cut' || kind === 'send');
  expect(inputs.map((event) => (event.kind === 'send' ? `send to ${event.to}` : event.kind))).toEqual([
    'cut',
    'send to client',
    'send to operator',
    'send to client',
  ]);
});

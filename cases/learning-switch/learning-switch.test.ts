import { readFileSync } from 'node:fs';
import { check, explainWhy, minimize, recheck, replay, search } from 'culprit';
import { storyLines, whyLines } from 'culprit/report';
import { readTrace, writeTrace, type Trace } from 'culprit/trace';
import { expect, test } from 'vitest';
import learningSwitch from './learning-switch.system.ts';

const url = new URL('best/keeps.trace', import.meta.url);
const text = readFileSync(url, 'utf8');
const best = readTrace(text, url.pathname);
const message = expect.stringMatching(/^s1 loses packets of h2, which it sends to port 2, which is down/) as string;

/** What the environment does, without the starts: a ping, a move. */
const inputsOf = ({ events }: Trace): string[] =>
  events.flatMap((event) => (event.kind === 'act' ? [`${event.action} ${JSON.stringify(event.payload)}`] : []));

test('a hunt finds the blackhole, and three inputs remain of it', async () => {
  const { findings, executions } = await search(learningSwitch);
  const [found] = findings;
  if (found === undefined) throw new Error('nothing was found');
  expect([executions, found.trace.events.length, inputsOf(found.trace).length]).toEqual([3, 47, 5]);
  const { trace, certificate } = await minimize(learningSwitch, found.trace);
  expect(trace.verdict).toMatchObject({ verdict: 'violated', oracle: 'noBlackholes', message });
  expect([trace.events.length, certificate]).toEqual([27, '1-minimal']);
  expect(inputsOf(trace).toSorted()).toEqual([
    'migrate {"station":"h1","to":"s1"}',
    'ping {"from":"h1","to":"h2"}',
    'ping {"from":"h2","to":"h1"}',
  ]);
  expect(trace.events).toEqual(best.events);
});

test('the stored trace replays to the byte, and is the one of the page', async () => {
  expect(writeTrace(await replay(learningSwitch, best))).toBe(text);
  const page = readFileSync(new URL('README.md', import.meta.url), 'utf8');
  expect(page).toContain(storyLines(best.events).join('\n'));
});

test('a controller that forgets is fixed', async () => {
  const { header } = best;
  const forgets = { ...best, header: { ...header, parameters: { ...header.parameters, forgets: true } } };
  expect(await recheck(learningSwitch, forgets, { neighbors: 50 })).toMatchObject({ answer: 'fixed', others: [] });
});

test('a hunt finds nothing in a controller that forgets, also if links fail', async () => {
  for (const partitions of [0, 2]) {
    const { executions, findings } = await search(learningSwitch, {
      set: { forgets: true, switches: 3, partitions },
      executions: 40,
    });
    expect([executions, findings.length]).toEqual([40, 0]);
  }
});

test('a link that fails is a blackhole, too', async () => {
  const { findings } = await search(learningSwitch, { set: { partitions: 2, switches: 3 }, executions: 100 });
  expect(findings[0]?.trace.verdict).toMatchObject({
    message: expect.stringMatching(/^s2 loses packets of h2, which it sends to port 4, which is down/) as string,
  });
});

test('a check explores every order', async () => {
  const correct = await check(learningSwitch, { set: { forgets: true, items: 1 } });
  expect([correct.verdict, correct.executions, correct.redundant]).toEqual(['holds', 52, 0]);
  const wrong = await check(learningSwitch, { set: { isScripted: true } });
  expect([wrong.verdict, wrong.findings[0]?.trace.verdict]).toMatchObject(['violated', { message }]);
});

test('it is explained', async () => {
  const why = whyLines(await explainWhy(learningSwitch, best), best, { width: 200 });
  expect(why[0]).toContain('had event 21 (s2 gets ping h2 → h1 at port 2) come before event 13');
});

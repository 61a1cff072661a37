import { minimize, recheck, search } from 'culprit';
import type { SearchProgress } from 'culprit/kernel';
import type { Trace } from 'culprit/trace';
import { expect, test } from 'vitest';
import boxes from './boxes.system.ts';

/** Sessions side by side, in threads, find what one session after another finds. The clock is fake, so that executions are equal. */

const withoutNoise = { set: { isBroken: false }, executions: 6 } as const;

/** What was found, but for the executions that were ended early. */
async function hunted(jobs: number): Promise<object> {
  const { abandoned: _abandoned, ...report } = await search(boxes, { executions: 20, jobs });
  return report;
}

async function found(): Promise<Trace> {
  const { findings } = await search(boxes, { executions: 20 });
  return findings[0]?.trace as Trace;
}

test('a hunt with several jobs reports what one job reports', async () => {
  const alone = await hunted(1);
  expect(alone).toMatchObject({ findings: [{ executions: 1 }], control: { executions: 3, violated: 0, unknown: 0 } });
  expect(await hunted(3)).toEqual(alone);
});

test('a hunt that finds nothing executes every seed once, whatever the number of jobs', async () => {
  const [alone, shared] = [await search(boxes, withoutNoise), await search(boxes, { ...withoutNoise, jobs: 4 })];
  expect(alone).toMatchObject({ findings: [], executions: 6, nextSeed: 6, abandoned: 0 });
  expect(shared).toEqual(alone);
});

test.each([1, 3])(
  'the progress of a hunt with %i jobs shows inputs and messages of the last execution',
  async (jobs) => {
    const seen: SearchProgress[] = [];
    await search(boxes, { ...withoutNoise, jobs, onProgress: (progress) => void seen.push(progress) });
    expect(seen.at(-1)?.execution).toMatchObject({ inputs: 10, messages: 10 });
    expect(seen.at(-1)?.execution?.elapsedMs).toBeGreaterThanOrEqual(9 * 20);
  },
);

test('replays side by side are counted as replays in sequence', async () => {
  const trace = await found();
  const [alone, shared] = [
    await recheck(boxes, trace, { replays: 6 }),
    await recheck(boxes, trace, { replays: 6, jobs: 3 }),
  ];
  expect(alone).toMatchObject({ reproduced: 6, control: { reproduced: 0 } });
  expect(shared).toEqual(alone);
});

test('a minimization with several jobs ends with the same execution, and says what was wasted', async () => {
  const trace = await found();
  const alone = await minimize(boxes, trace);
  const sends = alone.trace.events.flatMap((line) => (line.kind === 'send' ? [line.to] : []));
  expect(sends.sort()).toEqual(['other', 'server']);
  expect(alone.wasted).toBe(0);
  const shared = await minimize(boxes, trace, { jobs: 4 });
  expect(shared.trace.events).toEqual(alone.trace.events);
  expect(shared).toMatchObject({
    schedules: alone.schedules,
    certificate: alone.certificate,
    reproduction: alone.reproduction,
    controls: alone.controls,
  });
  expect(shared.wasted).toBeGreaterThan(0);
});

test('a signal ends a minimization with several jobs, with the best so far', async () => {
  const trace = await found();
  const { trace: best, certificate } = await minimize(boxes, trace, { jobs: 3, signal: AbortSignal.timeout(700) });
  expect(best.events.length).toBeLessThanOrEqual(trace.events.length);
  expect([undefined, '1-minimal up to the stated error']).toContain(certificate);
});

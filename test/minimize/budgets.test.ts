import { behavior, defineSystem, hunt, minimize, replay, send } from 'culprit';
import { NothingToMinimize, type MinimizeOptions, type MinimizeProgress } from 'culprit/kernel';
import { writeTrace, type Trace } from 'culprit/trace';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import spark from '../../cases/spark/spark.system.ts';
import lock from '../../cases/lock/lock.system.ts';
import { found } from '../found.ts';

describe('a minimization that is ended early', () => {
  let trace: Trace;
  beforeAll(async () => {
    trace = await found(spark, { set: { bug: 'spark-3150' } });
  });

  const aborted = (): AbortSignal => {
    const controller = new AbortController();
    controller.abort();
    return controller.signal;
  };

  test.each<[string, MinimizeOptions, number]>([
    ['by the number of schedules: one', { schedules: 1 }, 1],
    ['by the number of schedules: ten', { schedules: 10 }, 10],
    ['by the clock', { seconds: Number.MIN_VALUE }, 1],
    ['by a signal', { signal: aborted() }, 1],
  ])('returns the best execution so far, which replays, and no certificate: %s', async (_name, options, schedules) => {
    const minimized = await minimize(spark, trace, options);
    expect([minimized.schedules, minimized.certificate, minimized.proofStates]).toEqual([schedules, undefined, 0]);
    expect(minimized.trace.events.length).toBe(schedules === 1 ? trace.events.length : 35);
    expect(minimized.trace.verdict).toMatchObject({ verdict: 'violated', oracle: 'noUncaughtException' });
    expect(writeTrace(await replay(spark, minimized.trace))).toBe(writeTrace(minimized.trace));
  });

  test('in the middle, by a signal, stops there', async () => {
    const controller = new AbortController();
    const seen: number[] = [];
    const onProgress = ({ events }: MinimizeProgress): void => {
      seen.push(events);
      if (events < trace.events.length) controller.abort();
    };
    const { trace: smaller, certificate } = await minimize(spark, trace, { onProgress, signal: controller.signal });
    expect([certificate, smaller.events.length < trace.events.length]).toEqual([undefined, true]);
    expect(smaller.events.length).toBe(seen.at(-1));
  });
});

test('the shrink curve is stored, and continued', async () => {
  const trace = await found(spark, { set: { bug: 'spark-3150' } });
  const { trace: some } = await minimize(spark, trace, { schedules: 10 });
  const { trace: all, schedules } = await minimize(spark, some, { schedules: 200 });
  const [first, next] = [some, all].map(({ header }) => header.minimized?.shrinkCurve ?? []);
  expect(first?.[0]).toEqual([1, trace.events.length]);
  expect(next?.slice(0, first?.length)).toEqual(first);
  expect(next?.at(-1)?.[1]).toBe(all.events.length);
  const [after, left] = [(next ?? []).map(([at]) => at), (next ?? []).map(([, events]) => events)];
  expect(after).toEqual(after.toSorted((a, b) => a - b));
  expect(left).toEqual(left.toSorted((a, b) => b - a));
  expect(after.at(-1)).toBeLessThanOrEqual(10 + schedules);
});

test('a handler that does not return gets its time limit on request', async () => {
  const endless = behavior<object, string>({
    start: () => ({}),
    receive() {
      for (;;);
    },
  });
  const system = defineSystem({ processes: { endless }, workload: [send('endless', 'x')] });
  const trace = await found(system, { executions: 1, handlerMs: 50 });
  const minimized = await minimize(system, trace, { handlerMs: 50, schedules: 1 });
  expect([minimized.schedules, minimized.trace.events.length]).toEqual([1, 3]);
  // A hunt does not wait repeatedly.
  const directory = mkdtempSync(join(tmpdir(), 'culprit-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  await expect(hunt(system, { executions: 1, handlerMs: 50, directory })).rejects.toThrow(
    /\n {10}3 events, not minimized: a handler does not return, so this takes long; run: culprit minimize \S+\.trace\n/,
  );
});

test('a passing execution is not minimized', async () => {
  const trace = await found(lock);
  const holding: Trace = { ...trace, verdict: { verdict: 'holds', name: '0'.repeat(16), ending: 'finished' } };
  await expect(minimize(lock, holding)).rejects.toThrow(NothingToMinimize);
});

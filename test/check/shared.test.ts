import { BadWorkers, CheckEnded, type CheckReport, type SavedCheck } from 'culprit/kernel';
import { check, type CheckOptions } from 'culprit';
import { describe, expect, test } from 'vitest';
import register from '../workers/register.system.ts';

/** The report of a check, without the time it took. */
const timeless = (report: CheckReport): object => ({ ...report, seconds: 0 });

/** As read from a file. */
const fromFile = (saved: SavedCheck): SavedCheck => JSON.parse(JSON.stringify(saved)) as SavedCheck;

describe('a check by several workers', { timeout: 120_000 }, () => {
  test.each<[string, CheckOptions<typeof register.parameters>, executions: number]>([
    ['without faults', {}, 2_520],
    ['with faults', { set: { clients: 3, crashes: 1 } }, 631],
    ['by a black box', { set: { clients: 3, crashes: 1 }, search: 'blackbox' }, 3_844],
    ['by flips', { search: 'race-reversal' }, 2_520],
  ])('explores the same executions as one worker: %s', async (_what, options, executions) => {
    const alone = await check(register, options);
    const shared = await check(register, { ...options, workers: 2 });
    expect([alone.verdict, alone.executions - alone.redundant]).toEqual(['holds', executions]);
    expect([shared.verdict, shared.executions - shared.redundant]).toEqual(['holds', executions]);
    expect(shared).toMatchObject({ share: 1, plansDone: alone.plansDone, cut: 0, whyUnknown: [] });
  });

  test.each([['nothing'], ['violated'], ['looked into']])('says the same for any number of them: %s', async (what) => {
    const options = { set: { what } };
    const byTwo = await check(register, { ...options, workers: 2 });
    expect(timeless(await check(register, { ...options, workers: 3 }))).toEqual(timeless(byTwo));
    expect(byTwo.verdict).toBe(what === 'nothing' ? 'holds' : 'violated');
    expect(byTwo.executions).toBeGreaterThan(500);
  });

  test('ends with its budget, and any number of workers can resume it', async () => {
    const whole = await check(register, { workers: 2 });
    for (const executions of [256, 300, 1_000, 2_300]) {
      let from: SavedCheck | undefined;
      const part = await check(register, { workers: 2, executions, onSave: (saved) => (from = saved) });
      expect([part.verdict, part.executions]).toEqual(['unknown', executions]);
      if (from === undefined) throw new Error('nothing was saved');
      const rest = await check(register, { workers: 1 + (executions % 3), from: fromFile(from) });
      expect([rest.verdict, rest.executions - rest.redundant]).toEqual(['holds', whole.executions - whole.redundant]);
    }
  });
});

test('an interrupted check by several workers loses nothing', { timeout: 120_000 }, async () => {
  const set = { clients: 4, crashes: 1 };
  const interruption = new AbortController();
  let from: SavedCheck | undefined;
  const part = await check(register, {
    set,
    workers: 2,
    signal: interruption.signal,
    onSave: (saved) => (from = saved),
    onProgress: ({ executions }) => void (executions > 600 && interruption.abort()),
  });
  expect(part).toMatchObject({
    verdict: 'unknown',
    whyUnknown: ['the check was interrupted before the exploration was complete'],
  });
  expect(part.executions).toBeLessThan(19_965);
  if (from === undefined) throw new Error('nothing was saved');
  const rest = await check(register, { set, workers: 2, from: fromFile(from) });
  expect([rest.verdict, rest.executions - rest.redundant]).toEqual(['holds', 19_965]);
});

describe('workers that fail to', { timeout: 120_000 }, () => {
  test('judge an execution leave it to the check itself: an invariant throws', async () => {
    const error: unknown = await check(register, { set: { what: 'throws' }, workers: 2 }).catch(
      (thrown: unknown) => thrown,
    );
    if (!(error instanceof CheckEnded)) throw error;
    expect(error.message).toMatch(/^the invariant fine threw after event \d+: Error: better late than never/);
  });

  test('answer leave the rest to the check itself: they are gone', async () => {
    // Long enough for a worker to have loaded the system.
    const report = await check(register, { set: { clients: 5, what: 'exits' }, executions: 30_000, workers: 2 });
    expect(report).toMatchObject({ executions: 30_000, redundant: 0, findings: [] });
  });

  test('agree with the check itself about a violation end it', async () => {
    const options = { set: { clients: 5, what: 'imagined' }, executions: 30_000, workers: 2 };
    const error: unknown = await check(register, options).catch((thrown: unknown) => thrown);
    if (!(error instanceof CheckEnded)) throw error;
    expect(error.message).toContain('so it is here');
    expect(error.report.findings).toEqual([]);
  });

  test('load the system end the check', async () => {
    const error: unknown = await check({ ...register, nth: register.nth + 1 }, { workers: 2 }).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(CheckEnded);
    expect((error as CheckEnded).cause).toBeInstanceOf(BadWorkers);
  });

  test('find the module of the system are not started', async () => {
    await expect(check({ ...register, file: undefined }, { workers: 2 })).rejects.toThrow(
      "cannot start workers: the system's module is unknown.",
    );
  });

  test.each([
    ['depth', 'each of its executions follows from those before'],
    ['mixed', 'each of its executions follows from those before'],
    ['worlds', 'it explores each world once, and threads do not know the worlds of the others'],
    ['breadth', 'it explores each world once, and threads do not know the worlds of the others'],
    ['novelty', 'its next execution depends on all that it has met before'],
  ] as const)('share %s are refused, with the reason', async (search, why) => {
    await expect(check(register, { search, workers: 2 })).rejects.toThrow(
      `the search ${search} runs on one worker, not 2: ${why}.`,
    );
  });
});

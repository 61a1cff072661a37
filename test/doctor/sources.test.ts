import { AsyncResource } from 'node:async_hooks';
import fs, { readFileSync } from 'node:fs';
import crypto, { randomInt, randomUUID } from 'node:crypto';
import os from 'node:os';
import timers from 'node:timers';
import { setTimeout as later } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { behavior, defineSystem, doctor, search } from 'culprit';
import type { CheckResult } from 'culprit/kernel';
import { NotPlainData } from 'culprit/trace';

const here = fileURLToPath(import.meta.url);

/** The doctor's lines about a process that uses this when it starts; `keeps`: stores the result in its state. */
async function leaksOf(use: () => unknown, keeps = false): Promise<CheckResult[]> {
  const user = behavior({
    start() {
      const used = use();
      return keeps ? { used } : {};
    },
    receive() {},
  });
  const results = await doctor(defineSystem({ processes: { user } }), { executions: 1 });
  return results.filter(({ check, leaks }) => check === 'leaks' || leaks !== undefined);
}

describe('a doctor notes a source that a handler uses:', () => {
  test.each<[string, () => unknown]>([
    ['Date', () => new Date()],
    ['Date', () => Date()],
    ['Date.now', () => Date.now()],
    ['performance.now', () => performance.now()],
    ['process.hrtime', () => process.hrtime()],
    ['process.hrtime.bigint', () => process.hrtime.bigint()],
    ['process.uptime', () => process.uptime()],
    ['Math.random', () => Math.random()],
    ['crypto.randomUUID', () => globalThis.crypto.randomUUID()],
    ['crypto.randomUUID', () => randomUUID()],
    ['crypto.getRandomValues', () => globalThis.crypto.getRandomValues(new Uint8Array(4))],
    ['crypto.randomBytes', () => crypto.randomBytes(4)],
    ['crypto.randomInt', () => randomInt(10)],
    ['setTimeout', () => setTimeout(() => {}, 0)],
    ['setInterval', () => clearInterval(setInterval(() => {}, 1))],
    ['setImmediate', () => timers.setImmediate(() => {})],
    ['timers/promises setTimeout', () => later(0)],
    ['AbortSignal.timeout', () => AbortSignal.timeout(1)],
    ['fs.readFileSync', () => readFileSync(here)],
    ['fs.appendFileSync', () => fs.appendFileSync(os.devNull, '')],
    ['fs.readFile', () => promisify(fs.readFile)(here)],
    ['os.hostname', () => os.hostname()],
    ['process.memoryUsage', () => process.memoryUsage()],
    ['WeakRef.deref', () => new WeakRef({}).deref()],
  ])('%s', async (name, use) => {
    const results = await leaksOf(use);
    expect(results.map(({ level, leaks }) => [level, leaks?.map((leak) => leak.name)])).toEqual([['warning', [name]]]);
    expect(results[0]?.leaks?.[0]?.at).toMatch(/^test\/doctor\/sources\.test\.ts:\d+$/);
  });

  test.each<[string, () => unknown]>([
    ['dates that are given', () => [new Date(0), new Date(2020, 1), Date.parse('2020-01-01'), Date.UTC(2020)]],
    ['collections and copies', () => [...new Map([[1, new Set([2])]]), structuredClone({ a: 1 })]],
    ['microtasks, which belong to the event', () => queueMicrotask(() => {})],
    ['mathematics', () => Math.max(1, 2)],
  ])('not %s', async (_what, use) => {
    expect((await leaksOf(use)).map(({ level }) => level)).toEqual(['ok']);
  });
});

test('code that waits for a real event is a problem, returned or not', async () => {
  const results = await leaksOf(() => void fs.promises.readFile(here));
  expect(results.map(({ level, leaks }) => [level, leaks?.map((leak) => leak.name)])).toEqual([
    ['problem', ['fs.promises.readFile']],
  ]);
});

describe('a source is a problem if other answers matter:', () => {
  test.each<[string, () => unknown]>([
    ['Date', () => new Date().toISOString()],
    ['Date', () => Date()],
    ['Date.now', () => Date.now() > Date.UTC(2030)],
    ['performance.now', () => performance.now() > 1e9],
    ['process.hrtime', () => process.hrtime()[0]],
    ['process.hrtime.bigint', () => process.hrtime.bigint() > 10n ** 18n],
    ['process.uptime', () => process.uptime() > 1e9],
    ['Math.random', () => Math.random() < 0.001],
    ['crypto.randomUUID', () => globalThis.crypto.randomUUID() < '01'],
    ['crypto.randomUUID', () => randomUUID().slice(1)],
    ['crypto.getRandomValues', () => [...globalThis.crypto.getRandomValues(new Uint16Array(4))]],
    ['crypto.randomBytes', () => crypto.randomBytes(4).toString('hex')],
    ['crypto.randomInt', () => randomInt(3, 5)],
  ])('%s in %o', async (name, use) => {
    const results = await leaksOf(use, true);
    expect(results.map(({ level, leaks }) => [level, leaks?.map((leak) => leak.name)])).toEqual([['problem', [name]]]);
  });

  test('a source whose answers do not matter is a warning, even if the same source matters on other lines', async () => {
    const results = await leaksOf(() => {
      Math.random();
      return Math.random();
    }, true);
    expect(results.map(({ level }) => level)).toEqual(['problem', 'warning']);
    expect(results[1]?.message).toMatch(
      /^leaks: Math\.random at test\/doctor\/sources\.test\.ts:\d+, called in event 1 \(user, start\) of seed 0; with other results, nothing changed in 1 execution$/,
    );
  });
});

describe('while a system is watched', () => {
  const watched = [
    [globalThis, 'Date'],
    [Date, 'now'],
    [Date.prototype, 'constructor'],
    [Math, 'random'],
    [performance, 'now'],
    [globalThis.crypto, 'randomUUID'],
    [crypto, 'randomUUID'],
    [globalThis, 'setTimeout'],
    [timers, 'setTimeout'],
    [fs, 'readFileSync'],
    [fs.promises, 'readFile'],
    [WeakRef.prototype, 'deref'],
  ] as const;
  const placed = (): unknown[] => watched.map(([holder, key]) => Object.getOwnPropertyDescriptor(holder, key));
  const imported = (): unknown[] => [randomUUID, readFileSync, later];

  test('dates stay dates', async () => {
    const seen: boolean[] = [];
    await leaksOf(() =>
      seen.push(new Date(0).constructor === Date, new Date(0) instanceof Date, new Date() instanceof Date),
    );
    expect(new Set(seen)).toEqual(new Set([true]));
  });

  test.each<[string, () => unknown]>([
    ['all goes well', () => Math.random()],
    [
      'a handler throws',
      () => {
        throw new Error('oh');
      },
    ],
    [
      'the system is at fault',
      () => {
        throw NotPlainData.in(Symbol('odd'), 'it');
      },
    ],
  ])('all globals are restored when %s', async (_what, use) => {
    const [before, functions] = [placed(), imported()];
    await leaksOf(use, true);
    expect(placed()).toEqual(before);
    expect(imported()).toEqual(functions);
  });

  test('all globals are restored if it does not end', async () => {
    const before = placed();
    const lost = behavior<object, never>({ start: () => later(1, {}), receive() {} });
    await expect(search(defineSystem({ processes: { lost } }))).rejects.toThrow(
      'Likely leak: timers/promises setTimeout',
    );
    expect(placed()).toEqual(before);
  });

  test('other code in the same process is not watched, and gets no made-up answers', async () => {
    const times: number[] = [];
    // Code of others, although it runs while the globals are replaced.
    const theirs = AsyncResource.bind(() => times.push(Date.now()));
    const results = await leaksOf(() => {
      theirs();
      return Math.random();
    }, true);
    expect(results.flatMap(({ leaks = [] }) => leaks).map(({ name }) => name)).toEqual(['Math.random']);
    expect(times.filter((time) => Math.abs(time - Date.now()) > 60_000)).toEqual([]);
    expect(times.length).toBeGreaterThan(5);
  });

  test('two may be watched at once', async () => {
    const before = placed();
    const both = await Promise.all([leaksOf(() => Math.random(), true), leaksOf(() => Date.now())]);
    expect(both.map((results) => results.flatMap(({ leaks = [] }) => leaks.map(({ name }) => name)))).toEqual([
      ['Math.random'],
      ['Date.now'],
    ]);
    expect(placed()).toEqual(before);
  });
});

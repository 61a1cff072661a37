import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { BadWorkers, SearchEnded } from 'culprit/kernel';
import { behavior, defineSystem, hunt, search } from 'culprit';
import trouble from '../workers/trouble.system.ts';
import two, { idle, other } from '../workers/two.system.ts';

const here = defineSystem({ processes: { a: behavior({ start: () => ({}), receive() {} }) } });

test('a system belongs to the module whose code led to its definition, and is distinguished from the others there', () => {
  const named = /[^/]+$/;
  expect([two, other].map(({ file, nth }) => [named.exec(file ?? '')?.[0], nth])).toEqual([
    ['two.system.ts', 2],
    ['two.system.ts', 1],
  ]);
  // Defined there, too, but because of this module.
  const [mine] = [3].map(idle);
  expect([here, mine].map((system) => [named.exec(system?.file ?? '')?.[0], system?.nth])).toEqual([
    ['workers.test.ts', 1],
    ['workers.test.ts', 2],
  ]);
});

describe('workers', () => {
  test('load the system that a module exports by default', async () => {
    expect(await search(two, { workers: 2, executions: 20 })).toEqual(await search(two, { executions: 20 }));
  });

  test.each([
    [
      'another system of that module',
      other,
      /^a worker thread failed: \S+\/two\.system\.ts exports a different system by default \(number 2\) than the one in use \(number 1\)\.$/,
    ],
    [
      'one that is defined in a test',
      here,
      /^a worker thread failed: \S+\/workers\.test\.ts threw while it was loaded: /,
    ],
  ])('do not hunt for %s, even if the search ends before they report it', async (_what, system, problem) => {
    const error = await search(system, { workers: 2, executions: 5 }).catch((thrown: unknown) => thrown);
    if (!(error instanceof SearchEnded)) throw error;
    expect(error.cause).toBeInstanceOf(BadWorkers);
    expect(error.message).toMatch(problem);
    expect(error.next).toMatch(/ Or use one worker \(--workers 1, workers: 1\)\.$/);
    expect(error.report.executions).toBe(5);
  });

  test('need a known module', async () => {
    const options = { workers: 2, module: 'test/nowhere.ts' };
    await expect(search(two, options)).rejects.toThrow(
      "cannot start workers: the system's module, test/nowhere.ts, does not exist.",
    );
    await expect(search({ ...two, file: undefined }, { workers: 'auto' })).rejects.toThrow(
      "cannot start workers: the system's module is unknown.",
    );
  });
});

test('a hunt that cannot continue keeps its findings, and says where and why it ended', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'culprit-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const error = await hunt(trouble, { set: { what: 'invariant' }, violations: 2, directory }).catch(
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof SearchEnded)) throw error;
  const [file = ''] = readdirSync(directory);
  expect(file).toMatch(/^not-seven-[0-9a-f]{4}\.trace$/);
  expect(error.message).toMatch(
    /^seed 184: the invariant lucky threw after event 5: Error: invariant does not like 13/,
  );
  expect(error.message).toContain(`\nfound before that:\nsaved     ${join(directory, file)}\n`);
});

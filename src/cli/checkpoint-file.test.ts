import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { aboutCheck } from '../check/check.ts';
import type { CheckOptions } from '../check/options.ts';
import type { SavedCheck } from '../check/checkpoint.ts';
import { behavior, defineSystem } from '../system/define-system.ts';
import { CheckpointFile } from './checkpoint-file.ts';

const a = behavior<object, string>({ start: () => ({}), receive() {} });
const system = defineSystem({ nodes: 3 }, () => defineSystem({ processes: { a }, faults: { crashes: 1 } }));

const fileOf = (folder: string, options: CheckOptions, code = 'code'): CheckpointFile =>
  new CheckpointFile(folder, { module: 'x.ts', code, about: aboutCheck(system, { module: 'x.ts', ...options }) });

const leftBy = (options: CheckOptions): SavedCheck =>
  ({ about: aboutCheck(system, { module: 'x.ts', ...options }) }) as unknown as SavedCheck;

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'culprit-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test('each combination of system, parameters, bounds and search has a file of its own; budgets have none', () => {
  const combinations: CheckOptions[] = [
    {},
    { module: 'other/x.ts' },
    { set: { nodes: 5 } },
    { eventsMax: 50 },
    { faults: { crashes: 0 } },
    { seed: 7 },
    { search: 'race-reversal' },
    { search: 'depth' },
    { search: 'depth', preemptions: 1 },
    { search: 'depth', preemptions: 2 },
    { audit: true },
  ];
  const paths = combinations.map((options) => fileOf('kept', options).path);
  expect(new Set(paths).size).toBe(combinations.length);
  for (const budget of [{ executions: 5 }, { seconds: 5 }, { violations: 2 }, { workers: 1 }])
    expect(fileOf('kept', budget).path).toBe(paths[0]);
});

test('what a check left is found by the same check alone, and by others listed', () => {
  const folder = newFolder();
  const file = fileOf(folder, {});
  file.keep(leftBy({}));
  expect(file.load()).toEqual({ from: leftBy({}) });
  expect(fileOf(folder, { eventsMax: 50 }).load()).toEqual({});
  expect(fileOf(folder, { eventsMax: 50 }).others()).toEqual([{ path: file.path, had: 'events 200' }]);
  expect(fileOf(folder, {}, 'changed').load()).toEqual({ stale: 'the system has changed' });
  expect(file.others()).toEqual([]);
});

test('what another check cannot read there does not concern it', () => {
  const folder = newFolder();
  writeFileSync(join(folder, 'x-00000000.check'), '{');
  mkdirSync(join(folder, 'x-11111111.check'));
  const file = fileOf(folder, {});
  expect(file.others()).toEqual([]);
  writeFileSync(file.path, '{}');
  expect(() => file.load()).toThrow('is not a checkpoint of a check.');
});

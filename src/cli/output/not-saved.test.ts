import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { printedBy } from '../../../test/twins/printed.ts';
import { checkCommand } from '../check.ts';
import { explainCommand } from '../explain.ts';
import { exportCommand } from '../export.ts';
import { huntCommand } from '../hunt.ts';
import { initCommand } from '../init.ts';
import { minimizeCommand } from '../minimize.ts';
import { replayCommand } from '../replay.ts';
import { chosenExitCode, exitWith } from './exit-code.ts';
import { reportError } from './report-error.ts';

const folder = mkdtempSync(join(tmpdir(), 'culprit-'));
const at = (name: string): string => join(folder, name);
const system = at('lock.system.ts');
let trace = '';

beforeAll(async () => {
  writeFileSync(at('package.json'), '{ "type": "module" }');
  cpSync(fileURLToPath(new URL('../../../cases/lock/lock.system.ts', import.meta.url)), system);
  writeFileSync(at('file'), '');
  symlinkSync('nowhere', at('dangling'));
  symlinkSync('loop', at('loop'));
  mkdirSync(at('folder'));
  await ran(huntCommand, system, '--out', at('found'), '--no-minimize', '--workers', '1');
  trace = at(`found/${readdirSync(at('found')).find((name) => name.endsWith('.trace'))}`);
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Ran {
  readonly code: number;
  readonly text: string;
}

async function ran(command: () => Command, ...args: readonly string[]): Promise<Ran> {
  const run = (): Promise<unknown> => command().exitOverride().parseAsync(args, { from: 'user' });
  const text = await printedBy(() => run().catch((error: unknown) => exitWith(reportError(error))));
  const code = chosenExitCode();
  exitWith(0);
  return { code, text };
}

/** Folders that take no file, and why. */
const bad: readonly (readonly [string, string])[] = [
  ['file', `file is a file, not a folder.`],
  ['file/deep', `file is a file, not a folder.`],
  ['dangling', 'dangling is a symbolic link to nowhere, which does not exist.'],
  ['loop', 'symbolic links form a cycle.'],
  ['n'.repeat(300), 'its name is too long.'],
];

const commands = {
  hunt: (): [() => Command, ...string[]] => [huntCommand, system, '--workers', '1', '--no-minimize'],
  check: (): [() => Command, ...string[]] => [checkCommand, system, '--no-minimize', '--search', 'worlds'],
  minimize: (): [() => Command, ...string[]] => [minimizeCommand, trace, '--schedules', '1', '--proof-states', '0'],
};

/** Each command once, and each fault. */
test.each([
  ...bad.map(([name, why]) => ['hunt', name, why] as const),
  ...(['check', 'minimize'] as const).map((command) => [command, 'file', 'file is a file, not a folder.'] as const),
])('%s into %s tells what it found, says why it is not saved, and what to do', async (named, name, why) => {
  const { code, text } = await ran(...commands[named](), '--out', at(name));
  expect(code).toBe(2);
  expect(text).toContain('both hold the lock');
  expect(text).toContain(why);
  expect(text).toMatch(/^error {5}\S+ cannot be written: .*\. The result above is not saved\.$/m);
  expect(text).toMatch(/^next {6}Run it again with another folder: culprit .*--out <folder>$/m);
  expect(text).not.toContain('saved     ');
});

test('for machines, too', async () => {
  const { text } = await ran(huntCommand, system, '--workers', '1', '--json', '--no-minimize', '--out', at('file'));
  const { findings } = JSON.parse(text.split('\n')[0] as string) as { findings: object[] };
  expect(findings).toMatchObject([
    { path: null, unsaved: expect.stringContaining('file is a file, not a folder.') as string },
  ]);
});

test('the checkpoint of a check cannot be saved: the check continues, and says so immediately and at the end', async () => {
  const { code, text } = await ran(checkCommand, system, '--executions', '2', '--out', at('file'));
  expect(code).toBe(2);
  expect(text).toMatch(/^unsaved {3}.*lock-\w{8}\.check cannot be written: .* The check continues\.$/m);
  expect(text).toContain('unknown   no violation found');
  expect(text).toMatch(/^error .*lock-\w{8}\.check cannot be written: .* The checkpoint is not saved\.$/m);
});

test.each<[string, string, string]>([
  ['a folder', 'folder', 'it is a folder'],
  ['a link to nothing', 'dangling', 'it is a symbolic link to nowhere, which does not exist'],
  ['a file for a folder', 'file/page.html', 'file is a file, not a folder'],
  ['a name that is too long', 'n'.repeat(300), 'its name is too long'],
])('an export to %s says why it cannot be written', async (_what, name, why) => {
  const { code, text } = await ran(exportCommand, trace, '--out', at(name));
  expect([code, text]).toEqual([2, expect.stringContaining('cannot be written: ') as string]);
  expect(text).toContain(`${why}.\nnext      Choose another file with --out`);
});

test('the nearest passing execution is shown, and why it is not saved', async () => {
  const { code, text } = await ran(explainCommand, trace, '--nearest', at('folder'));
  expect(code).toBe(2);
  expect(text).toContain('cannot be written: it is a folder.\nnext      Choose another file with --nearest.');
});

test('a device is written to, and says so where it is full', async () => {
  const full = await ran(exportCommand, trace, '--out', '/dev/full');
  expect(full).toEqual({
    code: 2,
    text: expect.stringContaining('/dev/full cannot be written: no space is left') as string,
  });
  expect(existsSync('/dev/full')).toBe(true);
});

test('a folder that is not there is made', async () => {
  const { code } = await ran(exportCommand, trace, '--out', at('new/deep/lock.mmd'));
  expect([code, readdirSync(at('new/deep'))]).toEqual([0, ['lock.mmd']]);
});

test.each<[string, string, string]>([
  ['a folder', 'folder', 'it is a folder'],
  ['a file that is gone', 'gone.trace', 'it does not exist'],
  ['a link to nothing', 'dangling', 'it is a symbolic link to nowhere, which does not exist'],
  ['a file for a folder', 'file/x.trace', 'file is a file, not a folder'],
  ['a circle of links', 'loop', 'symbolic links form a cycle'],
  ['a name that is too long', 'n'.repeat(300), 'its name is too long'],
])('a trace that is %s says why it cannot be read', async (_what, name, why) => {
  // A folder of traces is replayed.
  const reading = [minimizeCommand, exportCommand, ...(name === 'folder' ? [] : [replayCommand])];
  for (const command of reading) {
    const { code, text } = await ran(command, at(name));
    expect(code).toBe(2);
    expect(text).toBe(
      `error     ${at(name)} cannot be read: ${why.replace(/^file/, at('file'))}.\nnext      Give the path of a trace file, such as .culprit/….trace.\n`,
    );
  }
});

test.each<[string, string, string]>([
  ['a link to nothing', 'dangling', 'it is a symbolic link to nowhere, which does not exist'],
  ['a circle of links', 'loop', 'symbolic links form a cycle'],
  ['a file for a folder', 'file/x.ts', 'file is a file, not a folder'],
])('a system that is %s says why it cannot be read', async (_what, name, why) => {
  const { code, text } = await ran(huntCommand, at(name));
  expect([code, text]).toEqual([2, expect.stringContaining(`${why}.\nnext      Give the path of a module`)]);
});

test.each(['file', 'dangling', 'loop', 'n'.repeat(300)])('init into %s says why, and writes nothing', async (name) => {
  const { code, text } = await ran(initCommand, at(name), '--runner', 'node');
  expect([code, text]).toEqual([
    2,
    expect.stringMatching(/^error .* cannot be written: .*\.\nnext .* culprit init payment\n$/),
  ]);
});

test('a system in a folder that takes no files is hunted and checked, saved elsewhere', async () => {
  // A file where the cache would be: as good as a disk that is read-only, and so for root too.
  writeFileSync(at('node_modules'), '');
  const out = at('elsewhere');
  const before = readdirSync(folder);
  expect((await ran(huntCommand, system, '--workers', '1', '--no-minimize', '--out', out)).code).toBe(1);
  expect((await ran(checkCommand, system, '--executions', '2', '--out', out)).code).toBe(3);
  expect(readdirSync(folder)).toEqual([...before, 'elsewhere'].sort());
  expect(readdirSync(out)).toEqual([
    expect.stringMatching(/^lock-\w{8}\.check$/),
    expect.stringMatching(/^mutual-exclusion-\w+\.trace$/),
  ]);
});

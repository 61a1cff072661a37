import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Command } from 'commander';
import { describe, expect, onTestFinished, test } from 'vitest';
import { explainCommand } from './explain.ts';
import { exportCommand } from './export.ts';
import { minimizeCommand } from './minimize.ts';
import { replayCommand } from './replay.ts';
import { stepCommand } from './step/step.ts';
import { moduleOf, ModuleOutside } from './trace-module.ts';
import { viewCommand } from './view.ts';
import { readTrace } from '../trace/file.ts';

const example = readFileSync(new URL('../../test/trace/lock-1.0.trace', import.meta.url), 'utf8');

const commands: readonly (readonly [name: string, command: () => Command, args: readonly string[]])[] = [
  ['replay', replayCommand, []],
  ['explain', explainCommand, []],
  ['view', viewCommand, ['--no-open']],
  ['step', stepCommand, []],
  ['minimize', minimizeCommand, []],
  ['export', exportCommand, ['--to', 'html', '--why']],
];

/** What a module does that should not have been run. */
const marks = (marker: string): string =>
  `import { writeFileSync } from 'node:fs';\nwriteFileSync(${JSON.stringify(marker)}, '');\n`;

/** A package that holds a trace, beside a module that leaves a mark where it is run. */
function laidOut(): { trace: string; outside: string; inside: string; marker: string } {
  const folder = mkdtempSync(join(tmpdir(), 'culprit-outside-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'package', '.culprit'), { recursive: true });
  writeFileSync(join(folder, 'package', 'package.json'), '{}');
  const marker = join(folder, 'was-run');
  const outside = join(folder, 'x.mjs');
  const inside = join(folder, 'package', 'x.mjs');
  writeFileSync(outside, marks(marker));
  return { trace: join(folder, 'package', '.culprit', 'a.trace'), outside, inside, marker };
}

const withModule = (module: string): string =>
  example.replace(/"module":"[^"]*"/, () => `"module":${JSON.stringify(module)}`);

const outsides: readonly (readonly [what: string, module: (at: ReturnType<typeof laidOut>) => string])[] = [
  ['..', () => '../../x.mjs'],
  ['.. behind a folder', () => '.culprit/../../x.mjs'],
  ['an absolute path', ({ outside }) => outside],
  ['a URL', ({ outside }) => pathToFileURL(outside).href],
  [
    'a link',
    ({ outside, inside }) => {
      symlinkSync(outside, inside);
      return 'x.mjs';
    },
  ],
];

describe.each(commands)('culprit %s', (name, command, args) => {
  test.each(outsides)('runs no module outside of the package that a trace names by %s', async (_what, module) => {
    const at = laidOut();
    writeFileSync(at.trace, withModule(module(at)));
    const run = command()
      .exitOverride()
      .parseAsync([at.trace, ...args], { from: 'user' });
    const error: unknown = await run.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(ModuleOutside);
    const { message, next } = error as ModuleOutside;
    expect(message).toContain('x.mjs');
    expect(next).toContain(`culprit ${name} ${at.trace} --system `);
    expect(existsSync(at.marker)).toBe(false);
  });

  test('says what it runs', () => {
    let help = '';
    command()
      .configureOutput({ writeOut: (text) => (help += text) })
      .outputHelp();
    expect(help).toContain('the module that the trace names');
    expect(help).toContain('--system <module>');
  });
});

test('culprit step takes no file for a module that is called a trace', async () => {
  const { trace, marker } = laidOut();
  writeFileSync(trace, marks(marker));
  await expect(stepCommand().parseAsync([trace], { from: 'user' })).rejects.toThrow('line 1 is not JSON');
  expect(existsSync(marker)).toBe(false);
});

describe('the module of a trace', () => {
  test('is found above the trace, in its package, also by a path that comes back into it', () => {
    const { trace, inside } = laidOut();
    writeFileSync(inside, '');
    for (const module of ['x.mjs', '../x.mjs', '.culprit/../x.mjs'])
      expect(moduleOf(readTrace(withModule(module), trace), trace, 'replay')).toBe(inside);
  });

  test('is not looked for in a folder that is in no package, unless it is the current one', () => {
    const folder = mkdtempSync(join(tmpdir(), 'culprit-loose-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    writeFileSync(join(folder, 'x.mjs'), '');
    const trace = join(folder, 'a.trace');
    expect(() => moduleOf(readTrace(withModule('x.mjs'), trace), trace, 'replay')).toThrow('which does not exist.');
  });

  test('is named so that neither a terminal nor a shell takes it for more than a name', () => {
    const { trace } = laidOut();
    const hostile = '/elsewhere/\u001b[2Jx; echo owned';
    const error = (() => {
      try {
        return moduleOf(readTrace(withModule(hostile), trace), trace, 'replay');
      } catch (thrown) {
        return thrown as ModuleOutside;
      }
    })() as ModuleOutside;
    expect(error.message).not.toContain('\u001b');
    expect(error.next).toContain(String.raw`--system $'/elsewhere/\033[2Jx; echo owned'`);
  });
});

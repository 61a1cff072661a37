import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { search, untilQuiet } from 'culprit';
import { controllerBehavior, defineNetwork, failControl, linear, recoverControl } from 'culprit/networks';
import { writeTrace, type Trace } from 'culprit/trace';
import { expect, test } from 'vitest';
import { culprit, folderWith } from '../cli/culprit.ts';

const silent = controllerBehavior({ start: () => ({}) });

/** Everything that the environment does to a network. */
const everything = defineNetwork({
  name: `it's "quoted"\n"""; raise SystemExit(9) #`,
  topology: linear(2),
  controllers: { c1: silent },
  migrations: true,
  channelCuts: true,
  traffic: (net) =>
    [
      net.ping('h1', 'h2'),
      net.cutLink('s1', 's2'),
      net.healLink('s1', 's2'),
      failControl('s1'),
      recoverControl('s1'),
      net.migrate('h1', 's2'),
      net.ping('h1', 'h2'),
      { kind: 'crash', process: 'c1' } as const,
      { kind: 'restart', process: 'c1' } as const,
      { kind: 'cut', links: [['c1', 's2']] } as const,
    ].flatMap((item) => [item, untilQuiet()]),
  invariants: { uncut: (world) => !world.cutLinks.some(([from]) => from === 'c1') || 'the channel is cut' },
});

const python = (...args: readonly string[]) => {
  const { status, stdout, stderr } = spawnSync('python3', args, { encoding: 'utf8' });
  return { status, stdout, stderr };
};

test('a script for Mininet compiles, and does the inputs of the trace', async () => {
  const { findings } = await search(everything, { executions: 1 });
  const trace = findings[0]?.trace as Trace;
  const folder = folderWith({ 'x.trace': writeTrace(trace) });
  expect(culprit(folder, 'export', 'x.trace', '--to', 'mininet', '--out', 'net.py')).toMatchObject({ code: 0 });
  const script = join(folder, 'net.py');
  expect(python('-m', 'py_compile', script)).toEqual({ status: 0, stdout: '', stderr: '' });
  const { stdout } = python(script, '--dry-run');
  const done = stdout
    .trim()
    .split('\n')
    .map((line) => line.split(' '));
  const packets = trace.events.flatMap((line) =>
    line.kind === 'send' ? ((line.message as { packet?: string }).packet ?? []) : [],
  );
  expect(done.map(([, ...words]) => words.join(' '))).toEqual([
    `send h1 ${packets[0]}`,
    'link_down s1 1 s2 1',
    'link_up s1 1 s2 1',
    'disconnect s1',
    'connect s1',
    'move h1 s2 3',
    `send h1 ${packets[1]}`,
    'stop_controller c1',
    'start_controller c1',
    'disconnect s2',
  ]);
  const inputs = trace.events.filter(
    ({ kind, process }) => process === 'environment' || kind === 'crash' || kind === 'restart',
  );
  const numbers = new Set(inputs.map(({ event }) => event));
  expect(done.every(([number]) => numbers.has(Number(number)))).toBe(true);
});

test('the packet of the verdict is traced at each switch of its path', () => {
  const trace = join(import.meta.dirname, '../../cases/controllers/best/testcontroller-migration.trace');
  const { out } = culprit(folderWith(), 'export', trace, '--to', 'mininet');
  const [, text = ''] = /^PATH = json\.loads\((.*)\)$/m.exec(out) ?? [];
  const path = JSON.parse(JSON.parse(text) as string) as [string, number, string][];
  expect(path.map(([name, port]) => [name, port])).toEqual([
    ['s1', 2],
    ['s2', 1],
  ]);
  expect(path.every(([, , packet]) => /^[\da-f]{84}$/.test(packet))).toBe(true);
});

test('a trace without a network is refused', () => {
  const folder = folderWith();
  culprit(folder, 'hunt', 'lock.system.ts', '--no-minimize');
  expect(culprit(folder, 'export', '.culprit/mutual-exclusion-8dfc.trace', '--to', 'mininet').err).toContain(
    'the trace has no topology',
  );
  const { code } = culprit(
    folder,
    'export',
    '.culprit/mutual-exclusion-8dfc.trace',
    '--to',
    'test',
    '--out',
    'lock.test.mjs',
  );
  expect(code).toBe(0);
  expect(readFileSync(join(folder, 'lock.test.mjs'), 'utf8')).toContain(
    'new URL("./.culprit/mutual-exclusion-8dfc.trace"',
  );
});

test.each([
  ['1', 1],
  ['2', 1],
  ['0', 0],
  ['3', 0],
])('an exported test, when the replay exits with %s, exits with %i', (exitCode, expected) => {
  const folder = folderWith({ npx: `#!/bin/sh\nexit ${exitCode}\n` });
  const trace = join(import.meta.dirname, '../../cases/learning-switch/best/keeps.trace');
  culprit(folder, 'export', trace, '--to', 'test', '--out', 'keeps.test.mjs');
  spawnSync('chmod', ['+x', join(folder, 'npx')]);
  const { NODE_OPTIONS: _options, NODE_TEST_CONTEXT: _context, ...env } = process.env;
  const ran = spawnSync(process.execPath, ['--test', 'keeps.test.mjs'], {
    cwd: folder,
    env: { ...env, PATH: `${folder}:${process.env['PATH']}` },
  });
  expect(ran.status).toBe(expected);
});

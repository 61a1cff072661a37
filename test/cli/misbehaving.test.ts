import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { commandLine, culprit, folderWith } from './culprit.ts';

const head = `import { behavior, defineSystem, send } from 'culprit';\n`;
const system = (receive: string): string => `${head}
  const a = behavior({ start: () => ({}), receive() { ${receive} } });
  export default defineSystem({ processes: { a }, workload: [send('a', 'x')] });`;

const hunt = ['hunt', 'odd.ts', '--executions', '2', '--workers', '1'];

test('a system that keeps the process busy, and sets its exit code, changes nothing', () => {
  const busy = `import { createServer } from 'node:net';
    setInterval(() => {}, 1_000);
    createServer().listen(0);
    process.exitCode = 7;\n`;
  const { code, out, err } = culprit(folderWith({ 'odd.ts': busy + system('process.exitCode = 9;') }), ...hunt);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toMatch(/^nothing {3}found in 2 executions/m);
});

test('a handler that ends the process is named, with its event and line', () => {
  const { code, err } = culprit(folderWith({ 'odd.ts': system('process.exit(0);') }), ...hunt);
  expect(code).toBe(2);
  expect(err).toBe(
    'error     a, in event 3, at odd.ts:3:63 ended the process, with exit code 0.\n' +
      'next      Remove calls of process.exit from the system and its imports.\n',
  );
});

test('a module that awaits forever is distinguished from one that ends the process', () => {
  const { code, err } = culprit(folderWith({ 'odd.ts': `await new Promise(() => {});\n${system('')}` }), ...hunt);
  expect(code).toBe(2);
  expect(err).toBe(
    'error     odd.ts does not finish loading: it awaits a promise that never settles.\n' +
      'next      At its top level, the module must only define the system.\n',
  );
});

test('a handler that removes a built-in is not mistaken for a bug of culprit', () => {
  const { code, err } = culprit(folderWith({ 'odd.ts': system('delete Array.prototype.map;') }), ...hunt);
  expect(code).toBe(2);
  expect(err).toBe(
    'error     the system removed Array.prototype.map, which culprit needs unchanged.\n' +
      'next      Do not change built-ins of JavaScript in the system or its imports.\n',
  );
});

test('a current folder that is gone is named', () => {
  const folder = folderWith({});
  const gone = `mkdir gone; cd gone; rmdir ../gone; exec ${commandLine('hunt', '../odd.ts')}`;
  const { status, stderr } = spawnSync('sh', ['-c', gone], { cwd: folder, encoding: 'utf8' });
  expect({ status, stderr }).toEqual({
    status: 2,
    stderr:
      'error     the current folder no longer exists.\nnext      Change to a folder that exists, and run the command again.\n',
  });
});

test('a handler that emits a signal stops the command, which names the handler', () => {
  const { code, err } = culprit(folderWith({ 'odd.ts': system(`process.emit('SIGINT');`) }), ...hunt);
  expect(code).toBe(130);
  expect(err).toMatch(/^stopped {3}by SIGINT, while a, in event 3, at odd\.ts:3:\d+ ran\n$/);
});

import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { commandLine, culprit, culpritWith, folderWith } from './culprit.ts';

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

test('a system that keeps more and more in a variable is named before memory is full', () => {
  const leaking = `${head}
    const kept = [];
    const a = behavior({ start: () => ({}), receive(_state, _message, ctx) {
      for (let n = 0; n < 2_000; n++) kept.push({ n, list: [n] });
      ctx.send('a', 'x');
    } });
    export default defineSystem({ processes: { a }, workload: [send('a', 'x')] });`;
  const env = { NODE_OPTIONS: '--max-old-space-size=200' };
  const { code, err } = culpritWith(env, folderWith({ 'odd.ts': leaking }), ...hunt);
  expect(code).toBe(2);
  expect(err).toMatch(
    /^error {5}memory is nearly full \(0\.\d of 0\.\d GB\) (?:after event \d+ of a|while a, in event \d+, .*ran)\.\nnext {6}Keep less data/,
  );
});

test('a handler that fills the memory at once is named, whatever it fills it with', () => {
  const filling = [
    'for (;;) state.kept.push({ n: state.kept.length, list: new Array(100).fill(1) });',
    'Array.from({ length: 5e7 }, () => ({ list: [1] }));',
  ];
  const env = { NODE_OPTIONS: '--max-old-space-size=120' };
  for (const code of filling) {
    const module = `${head}
      const a = behavior({ start: () => ({ kept: [] }), receive(state) { ${code} } });
      export default defineSystem({ processes: { a }, workload: [send('a', 'x')] });`;
    const ran = culpritWith(env, folderWith({ 'odd.ts': module }), ...hunt);
    // On a machine that is busy enough, its time is over first: that is a violation. No handler of these returns.
    expect(`${ran.code} ${ran.code === 1 ? ran.out : ran.err}`).toMatch(
      /^2 error {5}memory is nearly full \(0\.\d of 0\.\d GB\) while a, in event 3,(?: at odd\.ts:\d+:\d+)? ran\.\nnext {6}|^1 [^]*\nviolated {2}handlerReturns: /,
    );
    expect(ran.err).not.toContain('FATAL ERROR');
  }
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

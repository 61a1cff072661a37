import { createServer } from 'node:net';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { describe, expect, onTestFinished, test } from 'vitest';
import { culpritWith, folderWith, type Ran } from '../cli/culprit.ts';

/** Hunts a system with this process; the folders of its programs are in `sessions`. */
function hunted(node: string, env: NodeJS.ProcessEnv = {}): Ran & { readonly left: readonly string[] } {
  const folder = folderWith({
    'a.system.ts': `import { defineSystem, send } from 'culprit';
import { command, stdio, tcp } from 'culprit/live';
const decode = () => undefined;
const encode = (message) => JSON.stringify(message);
const throwing = () => { throw new Error('thrown on purpose'); };
const listener = (codec) => command(
  ['node', '-e', 'require("net").createServer((socket) => socket.pipe(socket)).listen(...process.argv.slice(1))', '$port', '$address'],
  { port: 8000, connect: tcp({ name: 'mine', bytesOf: () => Buffer.from('a'), ...codec }) },
);
export default defineSystem({ processes: { node: ${node}, other: command('cat') }, workload: [send('node', 1)] });
`,
  });
  const sessions = `${folder}/sessions`;
  mkdirSync(sessions);
  const ran = culpritWith({ TMPDIR: sessions, ...env }, folder, 'hunt', 'a.system.ts', '--executions', '1');
  return { ...ran, left: readdirSync(sessions).filter((name) => name.startsWith('culprit-live-')) };
}

describe('one sentence, exit code 2 and nothing left for', () => {
  test.each([
    [
      'a codec that cannot write',
      `command('cat', { connect: stdio({ decode, encode: throwing }) })`,
      'the codec of node failed at a.system.ts:5:32: Error: thrown on purpose',
    ],
    [
      'a codec that cannot read',
      `command('cat', { connect: stdio({ decode: throwing, encode }) })`,
      'the codec of node failed at a.system.ts:5:32: Error: thrown on purpose',
    ],
    [
      'a codec that writes no text',
      `command('cat', { connect: stdio({ decode, encode: () => 7 }) })`,
      'the codec of node failed: encode did not return a text.',
    ],
    [
      'a codec of TCP that cannot open a connection',
      `listener({ open: throwing })`,
      'the codec mine of tcp failed at a.system.ts:5:32: Error: thrown on purpose',
    ],
    [
      'a codec of TCP that cannot read an answer',
      `listener({ open: () => ({ client: () => undefined, server: throwing }) })`,
      'the codec mine of tcp failed at a.system.ts:5:32: Error: thrown on purpose',
    ],
    [
      'a codec of TCP that cannot write',
      `listener({ open: () => ({ client: () => undefined, server: () => undefined }), bytesOf: throwing })`,
      'the codec mine of tcp failed at a.system.ts:5:32: Error: thrown on purpose',
    ],
    [
      'a folder to start in that does not exist',
      `command('cat', { connect: stdio(), cwd: '/no/such' })`,
      'node cannot be started: its `cwd` /no/such is no folder.',
    ],
    ['$port without a port', `command('cat $port')`, 'the command of node uses $port, but node has no port.'],
    [
      '$address of a process that there is not',
      `command('cat $address.nobody', { port: 7 })`,
      'the command of node uses $address.nobody, but no process is called nobody.',
    ],
    [
      '$port of a process without one',
      `command('cat $port.other', { port: 7 })`,
      'the command of node uses $port.other, but other has no port.',
    ],
    [
      'a line at its socket that the protocol does not have',
      `command(['node', '-e', 'require("net").connect(process.argv[1]).write("hello\\\\n")', '$sync'], { inside: {} })`,
      'node wrote a line to its socket that the protocol does not have: "hello"',
    ],
    ['$sync without a socket', `command('cat $sync')`, 'the command of node uses $sync, but it has no `inside`.'],
    [
      'a shim for another language',
      `command('cat', { inside: { shim: 'python' }, readyMs: 200 })`,
      'nothing in it connected to its socket within 0.2 s.',
    ],
    ['a shim that there is not', `command('cat', { inside: { shim: 'perl' } })`, 'inside.shim is one of python, node'],
    ['a variable that is no text', `command('cat', { env: { A: 7 } })`, 'env.A is a text, not 7.'],
    ['a variable with a zero byte', `command('cat', { env: { A: 'a\\0b' } })`, 'node cannot be started: '],
  ])('%s', (_, node, sentence) => {
    const { code, err, left } = hunted(node);
    expect(err).toContain(sentence);
    expect(err).not.toMatch(/^ *at /m);
    expect([code, left]).toEqual([2, []]);
  });

  test('a folder for sessions that cannot be written', () => {
    const folder = folderWith({});
    writeFileSync(`${folder}/file`, '');
    const { code, err } = hunted(`command('cat')`, { TMPDIR: `${folder}/file` });
    expect(err).toMatch(/^error .*file cannot be written: /m);
    expect(code).toBe(2);
  });

  test('a port that is taken', async () => {
    // In another process, because the hunt blocks this one.
    const port = await freePort();
    const script = `require('net').createServer().listen(${port}, '0.0.0.0', () => console.log('listening'))`;
    const taker = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'ignore'] });
    onTestFinished(() => void taker.kill('SIGKILL'));
    await new Promise((resolve) => taker.stdout.once('data', resolve));
    const { code, err, left } = hunted(`command('sleep 100', { port: ${port} })`);
    expect(err).toContain(`:${port}: something else does already.`);
    expect([code, left]).toEqual([2, []]);
  });
});

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { culprit, folderWith, huntedTrace, interrupted, MOMENT } from '../cli/culprit.ts';

/** Real children, on the clock of the machine. Each writes its number down, and would run for ten minutes. */
const children = `import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, readFileSync, writeSync } from 'node:fs';
import { behavior, defineSystem, send } from 'culprit';

const child = {
  host: { name: 'a child', repeatable: false, controlled: false },
  start(io) {
    const process = spawn('sleep', ['600'], { stdio: 'ignore' });
    appendFileSync('children', process.pid + '\\n');
    if (readFileSync('children', 'utf8').split('\\n').length > MANY) writeSync(2, '${MOMENT}\\n');
    return { process, io };
  },
  receive: ({ io }, message) => io.send('client', message),
  view: () => ({}),
  async close({ process }) {
    const closed = once(process, 'close');
    process.kill('SIGKILL');
    await closed;
  },
};

const client = behavior({ start: () => ({ got: 0 }), receive: (state) => void (state.got += 1) });

export default defineSystem({ allowed: 1 }, ({ allowed }) => defineSystem({
  processes: { child, other: child, client },
  pace: { roundMs: 20, quietMs: 60 },
  workload: ['a', 'b', 'c', 'd'].map((type) => send('child', { type })),
  invariants: { few: (world) => (world.process('client').state?.got ?? 0) <= allowed },
}));
`;

const moduleWith = (many: number): string => children.replace('MANY', String(many));

/** The children that are alive. */
const alive = (folder: string): string[] =>
  readFileSync(join(folder, 'children'), 'utf8')
    .split('\n')
    .filter((pid) => pid !== '' && existsSync(`/proc/${pid}`));

/** A violated execution of the children, from a hunt that the tests share. */
let recorded: string | undefined;
const recordedTrace = (): string =>
  (recorded ??= huntedTrace('children.system.ts', moduleWith(Number.POSITIVE_INFINITY)));

test('several jobs hunt, replay and minimize, and leave no child', () => {
  const folder = folderWith({ 'children.system.ts': moduleWith(Number.POSITIVE_INFINITY) });
  const hunted = culprit(folder, 'hunt', 'children.system.ts', '--jobs', '3', '--no-minimize', '--json');
  expect([hunted.code, hunted.err]).toEqual([1, '']);
  const found = JSON.parse(hunted.out) as { findings: { path: string }[]; control: object };
  expect(found.control).toMatchObject({ executions: 1, violated: 0 });
  const path = found.findings[0]?.path as string;
  const replayed = culprit(folder, 'replay', path, '--replays', '4', '--jobs', '2');
  expect(replayed.out).toContain('reproduced in 4 of 4 replays (40–100 %)');
  const minimized = culprit(folder, 'minimize', path, '--jobs', '4');
  expect([minimized.code, minimized.err]).toEqual([1, '']);
  expect(minimized.out).toMatch(/^rate {6}violated in 20 of 20 replays \(83–100 %\)$/m);
  expect(minimized.out).toMatch(/^control {3}without any input: violated in 0 of \d+ replays$/m);
  expect(alive(folder)).toEqual([]);
});

test.each([
  ['hunt', ['hunt', 'children.system.ts', '--set', 'allowed=99', '--jobs', '3', '--no-control']],
  ['minimize', ['minimize', 'TRACE', '--jobs', '3']],
  ['replay', ['replay', 'TRACE', '--replays', '1000', '--jobs', '3']],
])('Ctrl-C during %s with several jobs leaves no child', async (_name, command) => {
  const folder = folderWith({ 'children.system.ts': moduleWith(12), 'found.trace': recordedTrace() });
  const args = command.map((word) => (word === 'TRACE' ? 'found.trace' : word));
  const { code } = await interrupted(folder, { at: MOMENT }, ...args);
  expect(code).toBe(130);
  expect(alive(folder)).toEqual([]);
});

test('several jobs are refused where nothing happens by itself', () => {
  const folder = folderWith();
  const { code, err } = culprit(folder, 'hunt', 'lock.system.ts', '--jobs', '2');
  expect(code).toBe(2);
  expect(err).toBe(
    'error     several jobs need a system whose processes act by themselves.\n' +
      'next      Use workers: they share the executions of a repeatable system.\n',
  );
});

test('a system that never gets ready: exit code 2, why, and what to do', () => {
  const unready = moduleWith(0).replace(
    /start\(io\) \{[^]*?\n {2}\},/,
    "start: async (io) => { throw new NotReady(io.self, 'it printed nothing.', 'Wait.'); },",
  );
  const module = unready.replace("from 'culprit';", "from 'culprit';\nimport { NotReady } from 'culprit/kernel';");
  const folder = folderWith({ 'unready.system.ts': module });
  const { code, out, err } = culprit(folder, 'hunt', 'unready.system.ts', '--executions', '50');
  expect(code).toBe(2);
  expect(err).toBe('error     child did not get ready: it printed nothing.\nnext      Wait.\n');
  expect(out).toContain('unknown   child did not get ready: it printed nothing.');
});

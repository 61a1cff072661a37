import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { culprit } from './cli/culprit.ts';
import { pagesInOrder } from './pages-in-order.ts';
import { blocks, followed, packageOfReader, root, textOf, timeless } from './reader.ts';
import { removeMarkedLine } from './runners/newcomer.ts';

const lockPath = 'cases/lock/lock.system.ts';

/** A package of a reader: for the README, and for the pages that continue one another. */
let [short, folder]: [string, string] = ['', ''];

beforeAll(() => {
  [short, folder] = [packageOfReader(lockPath), packageOfReader(lockPath)];
});

afterAll(() => {
  for (const made of [short, folder]) rmSync(made, { recursive: true, force: true });
});

describe('the README', () => {
  const [lock, inTests, ownClass = '', program = '', network = ''] = blocks('README.md', 'ts');

  test('has at most 200 lines', () => {
    expect(textOf('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(200);
  });

  test('shows the lock as it is', () => {
    expect(lock).toBe(textOf(lockPath));
  });

  test('shows what a hunt prints', () => {
    const [session = ''] = blocks('README.md', 'console');
    const { shown, seen } = followed(session, short);
    expect(seen).toEqual(shown);
  });

  test('shows the test of an example, without its comments', () => {
    const example = textOf('examples/vitest/payment.test.ts').replaceAll(/^\/\/.*\n/gm, '');
    expect(inTests).toBe(example);
    expect(blocks('docs/guide/in-tests.md', 'ts')).toEqual([example]);
  });

  test('has a class that loses an update', () => {
    writeFileSync(join(short, 'class.ts'), ownClass);
    const { out } = culprit(short, 'hunt', 'class.ts');
    expect(out).toContain('violated  nothingIsLost: an increment is lost');
    expect(out).toMatch(/cell +has written value: 1 +increments: 1 → 2/);
  });

  test('has a node in Python that loses a broadcast', () => {
    writeFileSync(join(short, 'broadcast.system.ts'), program);
    cpSync(join(root, 'cases/maelstrom/programs/broadcast.py'), join(short, 'broadcast.py'));
    const { code, out } = culprit(short, 'hunt', 'broadcast.system.ts', '--no-control', '--no-minimize');
    expect(code).toBe(1);
    expect(out).toContain('violated  ');
  });

  test('has a network whose controller loses packets', () => {
    writeFileSync(join(short, 'network.ts'), network);
    const { code, out } = culprit(short, 'hunt', 'network.ts', '--no-control', '--no-minimize');
    expect(code).toBe(1);
    expect(out).toContain('violated  blackholes: ');
  });

  test('names the two commands that do everything, and CI runs the second', () => {
    const [commands = ''] = blocks('README.md', 'sh');
    const [start, testing] = commands
      .trim()
      .split('\n')
      .map((line) => line.replace(/ *#.*/, ''));
    expect(start).toBe('npm ci && npm start');
    expect(textOf('.ci/run')).toContain(`\n${testing}\n`);
  });
});

describe('the pages of the guide and the reference', () => {
  const [voter = ''] = blocks('docs/reference/system.md', 'ts');
  const [fromCode = ''] = blocks('docs/reference/code.md', 'ts');

  test('show the lock as it is', () => {
    expect(blocks('docs/guide/first-steps.md', 'ts')).toEqual([textOf(lockPath)]);
  });

  test.each(pagesInOrder.flatMap((page) => blocks(page, 'console')))('show the actual output: %s', (session) => {
    // The page says to remove it.
    if (session.startsWith('$ culprit hunt payment')) removeMarkedLine(join(folder, 'payment.system.js'));
    const { shown, seen } = followed(session, folder);
    expect(seen).toEqual(shown);
  });

  test('have a voter that votes twice, unless it blocks', () => {
    writeFileSync(join(folder, 'voter.ts'), voter);
    writeFileSync(
      join(folder, 'blocking.ts'),
      voter.replace('start: () => ({}),', 'start: () => ({}),\n  blocking: true,'),
    );
    expect(culprit(folder, 'hunt', 'voter.ts').out).toContain('violated  oneVote: a and b both got a vote');
    expect(culprit(folder, 'hunt', 'blocking.ts', '--executions', '500').out).toContain('nothing   found');
  });

  test('have a voter that a doctor finds healthy', () => {
    writeFileSync(join(folder, 'sound.ts'), voter);
    const { code, out } = culprit(folder, 'doctor', 'sound.ts', '--executions', '20');
    expect(code).toBe(0);
    expect(timeless(out).split('\n')).toEqual([
      'doctor    sound.ts, from seed 0, 20 executions',
      'ok        Node is recent enough (20.19 or later)',
      'ok        system: loads and defines 3 processes, 1 invariant',
      'ok        executions: 20 executions, 9 of them violated, 198 events, by random, pct, pctcp, pos, round-robin',
      'ok        determinism: 20 executions repeated exactly, in a different order',
      'ok        leaks: no clock, random source, real timer, I/O or weak reference is used in 20 executions',
      'ok        observers: invariants and other callbacks changed nothing in 117 calls',
      'ok        elsewhere: with another process, time zone and language, 20 executions repeated exactly',
      'ok        processes: every process takes part (3)',
      'ok        messages: every type had an effect (2)',
      '',
      'healthy   0 problems, 0 warnings, … s',
    ]);
  });

  test('show how to hunt from code', () => {
    // Without its own package the folder belongs to ours, and `culprit` in it is the built one.
    const ours = mkdtempSync(join(root, '.culprit', 'code-'));
    onTestFinished(() => rmSync(ours, { recursive: true, force: true }));
    cpSync(join(root, lockPath), join(ours, 'lock.system.ts'));
    writeFileSync(join(ours, 'from-code.ts'), fromCode);
    const { stdout, stderr } = spawnSync(
      process.execPath,
      ['--import', join(root, 'tools/source/built.mjs'), join(ours, 'from-code.ts')],
      { encoding: 'utf8', cwd: ours },
    );
    expect(stderr).toBe('');
    expect(stdout).toBe(
      'violated  mutualExclusion: client-1 and client-3 both hold the lock, kept in .culprit/mutual-exclusion-8dfc.min.trace\n' +
        '1 executions, 11 events, shortest\n15 lines, reproduced\nholds, 1993 executions\n',
    );
  });

  test('show hints for the minimizer', () => {
    const [hints = ''] = blocks('docs/reference/minimize.md', 'js');
    const system = `import { behavior, defineSystem, send } from 'culprit';
const counter = behavior({ start: () => ({ n: 0 }), receive(state) { state.n += 1; } });
export default defineSystem({
  processes: { config: counter, other: counter },
  workload: [send('config', { requestId: 1 }), send('other', { requestId: 2 })],
  invariants: { few: (world) => world.process('other').state?.n !== 1 },
  ${hints}});
`;
    writeFileSync(join(folder, 'hints.ts'), system);
    const { out } = culprit(folder, 'hunt', 'hints.ts');
    // Nothing depends on messages to config, and yet it gets one.
    expect(out).toContain('sends {requestId: 1} to config');
    expect(out).not.toContain('config  gets');
  });

  test('show phrases of a system', () => {
    const [phrases = ''] = blocks('docs/reference/explain.md', 'js');
    const payment = readFileSync(join(folder, 'payment.system.js'), 'utf8');
    writeFileSync(join(folder, 'worded.system.js'), payment.replace('invariants: {', `${phrases}  invariants: {`));
    const args = ['.culprit/charged-once-b0ec.min.trace', '--system', 'worded.system.js'];
    expect(
      culprit(folder, 'explain', '--no-why', ...args)
        .out.split('\n')
        .slice(-4, -1),
    ).toEqual([
      '    5  bank  is to charge for the book               charged for 1; charges + [book]',
      '    6  shop  asks again, as nothing was heard of the bank',
      '    7  bank  is to charge for the book               charged for 2; charges + [book]',
    ]);
  });

  test('show rules that hold, and spare a check most orders', () => {
    const [rules = ''] = blocks('docs/reference/check.md', 'js');
    const system = `import { behavior, defineSystem } from 'culprit';
type Message = { type: 'vote' | 'no'; term: number };
const candidate = behavior<{ term: number; votes: number }, Message>({
  start: () => ({ term: 1, votes: 0 }),
  receive(state, { type, term }) { if (type === 'vote' && term === state.term) state.votes += 1; },
});
const voterOf = (term: number) => behavior<object, Message>({
  start(ctx) { ctx.send('candidate', { type: 'vote', term }); return {}; },
  receive() {},
});
export default defineSystem({
  processes: { candidate, a: voterOf(1), b: voterOf(1), c: voterOf(0), d: voterOf(0) },
  ${rules}});
`;
    writeFileSync(join(folder, 'rules.ts'), system);
    const checked = (...args: readonly string[]): unknown =>
      JSON.parse(culprit(folder, 'check', 'rules.ts', '--json', ...args).out);
    expect(checked()).toMatchObject({ verdict: 'holds', executions: 24, claims: 0 });
    const reduced = checked('--reduce', 'lmi', '--audit') as { claims: number; audited: number };
    expect(reduced).toMatchObject({ verdict: 'holds', executions: 1, refuted: [] });
    expect([reduced.claims, reduced.audited]).toEqual([6, 6]);
  });
});

import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { culprit, culpritReading } from './cli/culprit.ts';
import { removeMarkedLine } from './runners/newcomer.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const lockPath = 'cases/lock/lock.system.ts';

const blocks = (language: string): string[] =>
  [...readme.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(([, text = '']) => text);

/** A package of a reader who has installed culprit. */
let folder: string;

beforeAll(() => {
  mkdirSync(join(root, '.culprit'), { recursive: true });
  folder = mkdtempSync(join(root, '.culprit', 'readme-'));
  cpSync(join(root, lockPath), join(folder, lockPath));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(root, join(folder, 'node_modules', 'culprit'));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the README', () => {
  const [lock = '', voter = '', inTests = '', ownClass = '', fromCode = ''] = blocks('ts');

  test('shows the lock as it is', () => {
    expect(lock).toBe(readFileSync(join(root, lockPath), 'utf8'));
  });

  const sessions = blocks('console');
  test.each(sessions)('shows the actual output: %s', (session) => {
    const [command = '', ...shown] = session.trimEnd().split('\n');
    if (command.includes('hunt payment')) removeMarkedLine(join(folder, 'payment.system.js'));
    // The text behind a prompt is typed.
    const typed = shown.filter((line) => line.startsWith('> ')).map((line) => line.slice(2));
    const { out, err } = culpritReading(typed.join('\n'), folder, ...command.replace('$ culprit ', '').split(' '));
    expect(err).toBe('');
    // A line of only an ellipsis stands for output that the reader has already seen.
    const at = shown.indexOf('…');
    const [first, last] = [shown.slice(0, Math.max(at, 0)), shown.slice(at + 1)].map((lines) => lines.map(timeless));
    const lines = timeless(out).split('\n');
    expect(at < 0 ? lines : [...lines.slice(0, first?.length), ...lines.slice(-(last?.length ?? 0))]).toEqual([
      ...(first ?? []),
      ...(last ?? []),
    ]);
  });

  test('has a voter that votes twice, unless it blocks', () => {
    writeFileSync(join(folder, 'voter.ts'), voter);
    writeFileSync(
      join(folder, 'blocking.ts'),
      voter.replace('start: () => ({}),', 'start: () => ({}),\n  blocking: true,'),
    );
    expect(culprit(folder, 'hunt', 'voter.ts').out).toContain('violated  oneVote: a and b both got a vote');
    expect(culprit(folder, 'hunt', 'blocking.ts', '--executions', '500').out).toContain('nothing   found');
  });

  test('shows the test of an example, without its comments', () => {
    const example = readFileSync(join(root, 'examples/vitest/payment.test.ts'), 'utf8');
    expect(inTests).toBe(example.replaceAll(/^\/\/.*\n/gm, ''));
  });

  test('has a class that loses an update', () => {
    writeFileSync(join(folder, 'class.ts'), ownClass);
    expect(culprit(folder, 'hunt', 'class.ts').out).toContain('violated  nothingIsLost: 2 increments make 1');
  });

  test('has a voter that a doctor finds healthy', () => {
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

  test('shows how to hunt from code', () => {
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

  test('shows hints for the minimizer', () => {
    const [hints = ''] = blocks('js');
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

  test('shows phrases of a system', () => {
    const [, phrases = ''] = blocks('js');
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

  test('shows rules that hold, and spare a check most orders', () => {
    const [, , rules = ''] = blocks('js');
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

  test('names the two commands that do everything, and CI runs the second', () => {
    const [commands = ''] = blocks('sh');
    const [start, testing] = commands
      .trim()
      .split('\n')
      .map((line) => line.replace(/ *#.*/, ''));
    expect(start).toBe('npm ci && npm start');
    expect(readFileSync(join(root, '.ci/run'), 'utf8')).toContain(`\n${testing}\n`);
  });
});

/** Without parts that differ between machines. */
const timeless = (text: string): string => text.trimEnd().replaceAll(/[\d.]+ s\b/g, '… s');

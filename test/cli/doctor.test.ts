import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { culprit, culpritWith, folderWith } from './culprit.ts';

// Each starts several processes, one after the other.
const projectRoot = fileURLToPath(new URL('../..', import.meta.url));

/** A module whose only process stores the value of this expression. */
const keeping = (expression: string, before = ''): string => `import { behavior, defineSystem } from 'culprit';
${before}
const keeper = behavior<{ kept: unknown }, string>({
  start(ctx) {
    ctx.send('keeper', 'keep');
    return { kept: undefined };
  },
  receive(state) {
    state.kept = ${expression};
  },
});
export default defineSystem({ processes: { keeper }, invariants: { any: () => true } });
`;

/** The complaints of a doctor about it. */
function complaints(module: string): { code: number | null; lines: string[] } {
  const { code, out, err } = culprit(folderWith({ 'x.ts': module }), 'doctor', 'x.ts', '--executions', '10');
  expect(err).toBe('');
  return { code, lines: out.split('\n').filter((line) => /^(problem|warning|skipped|next) /.test(line)) };
}

describe('culprit doctor', () => {
  test('says that a system is healthy, line by line, and that its traces still replay', () => {
    const folder = folderWith();
    culprit(folder, 'hunt', 'lock.system.ts');
    const { code, out, err } = culprit(folder, 'doctor', 'lock.system.ts', '--executions', '50');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out.replace(/[\d.]+ s$/m, '… s')).toMatchInlineSnapshot(`
      "doctor    lock.system.ts, from seed 0, 50 executions
      ok        Node is recent enough (20.19 or later)
      ok        system: loads and defines 4 processes, 1 invariant
      ok        parameters: checksOwner=false
      ok        executions: 50 executions, 4 of them violated, 701 events, by random, pct, pctcp, pos, round-robin
      ok        determinism: 50 executions repeated exactly, in a different order
      ok        leaks: no clock, random source, real timer, I/O or weak reference is used in 50 executions
      ok        observers: invariants and other callbacks changed nothing in 200 calls
      ok        elsewhere: with another process, time zone and language, 20 executions repeated exactly
      ok        processes: every process takes part (4)
      ok        messages: every type had an effect (3)
      ok        traces: all traces in .culprit still replay (2)

      healthy   0 problems, 0 warnings, … s
      "
    `);
  });

  test('shows its usage', () => {
    const { code, out } = culprit(folderWith(), 'doctor', '--help');
    expect(code).toBe(0);
    expect(out).toContain('Example:\n  culprit doctor ./lock.system.ts\n');
    expect(out).toContain('1 a problem');
  });

  test('prints one object as JSON', () => {
    const folder = folderWith({ 'x.ts': keeping('Date.now() > 0', 'export const id = Math.random();') });
    const { code, out, err } = culprit(folder, 'doctor', 'x.ts', '--executions', '5', '--json');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(JSON.parse(out)).toMatchObject({ problems: 0, warnings: 2, seconds: expect.any(Number) as unknown });
    const { results } = JSON.parse(out) as { results: { level: string; leaks?: unknown }[] };
    expect(results.filter(({ level }) => level !== 'ok')).toEqual([
      {
        check: 'leaks',
        level: 'warning',
        message:
          'leaks: Date.now at x.ts:9, called in event 2 (keeper, deliver) of seed 0; with other results, nothing changed in 3 executions',
        next: 'Take the time from ctx.nowMs (in a class: io.now).',
        leaks: [{ kind: 'clock', name: 'Date.now', at: 'x.ts:9', during: 'in event 2 (keeper, deliver)' }],
      },
      {
        check: 'leaks',
        level: 'warning',
        message:
          'leaks: Math.random at x.ts:2, called by the module, while it was loaded; nothing changed in a second process',
        next: 'Draw from ctx.random (in a class: io.random).',
        leaks: [{ kind: 'chance', name: 'Math.random', at: 'x.ts:2', during: 'by the module, while it was loaded' }],
      },
    ]);
  });

  test('sees functions that a module captured before it was watched', () => {
    const { code, lines } = complaints(keeping('roll()', 'const { random: roll } = Math;'));
    expect(code).toBe(1);
    expect(lines).toEqual([
      expect.stringMatching(
        /^problem {3}determinism: seed 9 did not repeat exactly\. Event 2: keeper \(deliver\): keeper\.kept is 0\.\d+, and was 0\.\d+ in the recording\. Likely leak: Math\.random at x\.ts:9, called in event 2 \(keeper, deliver\)$/,
      ),
      'next      Draw from ctx.random (in a class: io.random).',
      'skipped   elsewhere: executions already differ in this process',
    ]);
  });

  test('ignores handlers that print', () => {
    expect(complaints(keeping("(console.log('kept'), 1)"))).toEqual({ code: 0, lines: [] });
  });

  test('sees calls of a package on behalf of a handler', () => {
    const { code, out } = culprit(projectRoot, 'doctor', 'test/doctor/leaky/package.system.ts', '--executions', '5');
    expect(code).toBe(1);
    expect(out).toMatch(
      /Likely leak: (Date\.now|Math\.random) \(through fast-check\) at test\/doctor\/leaky\/package\.system\.ts:5, called in event 1 \(dice, start\)/,
    );
  });

  test('sees that a module keeps state, by loading it again', () => {
    const { code, lines } = complaints(keeping('++calls', 'let calls = 0;'));
    expect(code).toBe(1);
    expect(lines).toEqual([
      'problem   determinism: seed 9 did not repeat exactly. Event 2: keeper (deliver): keeper.kept is 11, and was 10 in the recording. Likely leak: state in a module: a fresh import behaves like the first one',
      'next      Keep it in the state of a process: what `start` returns.',
      'skipped   elsewhere: executions already differ in this process',
    ]);
  });

  test('sees a dependence on the time zone and the language', () => {
    const folder = folderWith({ 'x.ts': keeping('new Date(0).toLocaleString()') });
    const here = { TZ: 'UTC', LC_ALL: 'en_US.UTF-8' };
    const { code, out } = culpritWith(here, folder, 'doctor', 'x.ts', '--executions', '5');
    expect(code).toBe(1);
    expect(out).toMatch(
      /^problem {3}elsewhere: seed 0 differs in a second process\. Event 2: keeper \(deliver\): keeper\.kept is "01\.01\.1970 12:45:00", and was "1\/1\/1970, 12:00:00.AM" in the recording\. Likely leak: the time zone or the language of the machine\nnext {6}Keep values/m,
    );
  });

  test('sees reads while the module is loaded', () => {
    const { code, lines } = complaints(keeping('id', 'const id = Math.random();'));
    expect(code).toBe(1);
    expect(lines[0]).toMatch(
      /^problem {3}elsewhere: .* in a second process\. .* Likely leak: Math\.random at x\.ts:2, called by the module, while it was loaded$/,
    );
  });
});

describe('culprit doctor, given', () => {
  test('a module that does not compile, reports it as a problem and exits with 1', () => {
    const { code, out, err } = culprit(folderWith({ 'x.ts': 'const = 1;' }), 'doctor', 'x.ts');
    expect({ code, err }).toEqual({ code: 1, err: '' });
    expect(out).toMatch(/^problem {3}system: x\.ts cannot be compiled: x\.ts:1.*\nnext {6}Fix the module/m);
    expect(out).toContain('unwell    1 problem, 0 warnings');
  });

  test.each([
    ['no module there', ['missing.ts'], 'there is no file missing.ts.'],
    ['a folder', ['.'], '. is a folder, not a module.'],
    [
      'a parameter called like a part of every object',
      ['lock.system.ts', '--set', '__proto__=1'],
      'the system has no parameter called __proto__',
    ],
    ['an unknown parameter', ['lock.system.ts', '--set', 'owner=true'], 'the system has no parameter called owner'],
  ])('%s, reports it and exits with 2', (_what, args, problem) => {
    const { code, err } = culprit(folderWith(), 'doctor', ...args);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(problem) as unknown });
  });
});

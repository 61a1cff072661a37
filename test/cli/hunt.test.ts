import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { culprit, folderWith } from './culprit.ts';

const projectRoot = fileURLToPath(new URL('../..', import.meta.url));

const timeless = (out: string): string =>
  out.replaceAll(/\d+ schedules/g, '… schedules').replaceAll(/[\d.]+ s\b/g, '… s');

describe('culprit hunt', () => {
  test('finds the violation, describes it, saves it, prints the command that shows it again, and overwrites nothing', () => {
    const folder = folderWith();
    const { code, out, err } = culprit(folder, 'hunt', 'lock.system.ts');
    expect({ code, err }).toEqual({ code: 1, err: '' });
    expect(timeless(out)).toMatchInlineSnapshot(`
      "hunt      lock.system.ts, from seed 0, by random,pos,pct
      violated  mutualExclusion: client-1 and client-3 both hold the lock
                11 events → 11, … schedules, … s, shortest
      why       had event 10 (lock gets acquire from client-3) come before event 9 (lock gets release from client-2), mutualExclusion would have held

        1–4  lock, client-1, client-2, client-3 start  lock {holder: null}, client-1, client-2, client-3 {phase: waiting}
          5  lock      gets acquire from client-1  holder: null → client-1
          6  client-1  gets granted from lock      phase: waiting → holding
          7  client-2  timer enough fires          phase: waiting → done
          8  lock      gets acquire from client-2
          9  lock      gets release from client-2  holder: client-1 → null
         10  lock      gets acquire from client-3  holder: null → client-3
         11  client-3  gets granted from lock      phase: waiting → holding

      found     by seed 0, random, after 1 execution
      saved     .culprit/mutual-exclusion-8dfc.min.trace
                .culprit/mutual-exclusion-8dfc.trace, before minimizing
      view      npx culprit view .culprit/mutual-exclusion-8dfc.min.trace
      explain   npx culprit explain .culprit/mutual-exclusion-8dfc.min.trace
      replay    npx culprit replay .culprit/mutual-exclusion-8dfc.min.trace
      tried     1 execution, 11 events, … s
      coverage  1 distinct interleaving, 1 distinct final state
      "
    `);
    expect(readdirSync(join(folder, '.culprit'))).toEqual([
      'mutual-exclusion-8dfc.min.trace',
      'mutual-exclusion-8dfc.trace',
    ]);
    // The second time it is known: the time is not printed.
    expect(culprit(folder, 'hunt', 'lock.system.ts').out).toMatch(/^ {10}11 events → 11, \d+ schedules, shortest$/m);
    // Another trace is never overwritten.
    const path = join(folder, '.culprit', 'mutual-exclusion-8dfc.trace');
    writeFileSync(path, 'precious\n');
    const again = culprit(folder, 'hunt', 'lock.system.ts').out;
    expect(readFileSync(path, 'utf8')).toBe('precious\n');
    expect(again).toContain('\n          .culprit/mutual-exclusion-8dfc8.trace, before minimizing\n');
  });

  test('says that nothing was found, and that this is no proof', () => {
    const { code, out } = culprit(
      folderWith(),
      'hunt',
      'lock.system.ts',
      '--set',
      'checksOwner=true',
      '--executions',
      '500',
    );
    expect(code).toBe(0);
    expect(out).toMatch(/nothing {3}found in 500 executions, [\d,]+ events, [\d.]+ s\n {10}This is no proof/);
  });

  test('prints one object as JSON', () => {
    const { code, out, err } = culprit(folderWith(), 'hunt', 'lock.system.ts', '--json');
    expect({ code, err }).toEqual({ code: 1, err: '' });
    const report = JSON.parse(out) as { seconds: number };
    expect(report).toMatchObject({
      findings: [
        {
          oracle: 'mutualExclusion',
          fingerprint: 'mutualExclusion',
          seed: 0,
          strategy: 'random',
          executions: 1,
          events: 11,
          path: '.culprit/mutual-exclusion-8dfc.trace',
          minimized: {
            events: 11,
            certificate: 'shortest',
            path: '.culprit/mutual-exclusion-8dfc.min.trace',
            others: [],
          },
        },
      ],
      executions: 1,
      unknown: 0,
      coverage: { distinct: 1, marksMissed: [] },
    });
  });

  test('requires on request that every `sometimes` was reached', () => {
    const system = `import { behavior, defineSystem } from 'culprit';
      const a = behavior({ start: () => ({}), receive() {} });
      export default defineSystem({ processes: { a }, sometimes: { never: (world) => world.length > 99 } });`;
    const folder = folderWith({ 'idle.ts': system });
    const { code, out } = culprit(folder, 'hunt', 'idle.ts', '--executions', '50', '--require-coverage');
    expect(code).toBe(3);
    expect(out).toContain('missed    never: never true in any state');
    expect(out).toContain('no choice every execution was the same: this system leaves nothing to choose');
    expect(culprit(folder, 'hunt', 'idle.ts', '--executions', '50').code).toBe(0);
  });

  test('requires on request that every execution was judged', () => {
    const system = `import { behavior, defineSystem, progress, send } from 'culprit';
      const a = behavior({ start: () => ({ n: 0 }), receive(state, _message, ctx) { state.n += 1; ctx.send('a', 'on'); } });
      export default defineSystem({
        processes: { a },
        workload: [send('a', 'one'), send('a', 'two')],
        oracles: { ends: progress(() => false, { rounds: 100 }) },
      });`;
    const folder = folderWith({ 'endless.ts': system });
    const hunt = ['hunt', 'endless.ts', '--executions', '20', '--events', '30'];
    const { code, out } = culprit(folder, ...hunt, '--require-coverage');
    expect(code).toBe(3);
    expect(out).toMatch(/nothing {3}found in 20 executions \(20 with an unknown verdict\)/);
    expect(out).toMatch(/unknown {3}ends: \d+ of 100 fair rounds fit in before the execution was ended/);
    expect(culprit(folder, ...hunt).code).toBe(0);
  });

  test('ignores a reader that closes the pipe', () => {
    const { stdout, stderr } = spawnSync(
      `node ${projectRoot}dist/cli/main.js hunt lock.system.ts --set checksOwner=true --executions 2000 | head -c 10`,
      { cwd: folderWith(), shell: true, encoding: 'utf8' },
    );
    expect({ stdout, stderr }).toEqual({ stdout: 'hunt      ', stderr: '' });
  });

  test('writes the same bytes for the same seed, in another process', () => {
    const [one, two] = [folderWith(), folderWith()];
    for (const folder of [one, two]) culprit(folder, 'hunt', 'lock.system.ts', '--seed', '500');
    const traces = (folder: string): string[] =>
      readdirSync(join(folder, '.culprit')).map((name) => readFileSync(join(folder, '.culprit', name), 'latin1'));
    expect(traces(one)).toHaveLength(2);
    expect(traces(two)).toEqual(traces(one));
  });

  test('compresses large traces, and replays them', () => {
    const system = `import { behavior, defineSystem } from 'culprit';
      const a = behavior<{ n: number }, { n: number; padding: string }>({
        start(ctx) { ctx.send('a', { n: 0, padding: '' }); return { n: 0 }; },
        receive(state, { n }, ctx) { state.n = n; ctx.send('a', { n: n + 1, padding: 'x'.repeat(1000) }); },
      });
      export default defineSystem({ processes: { a }, invariants: { few: (world) => world.length < 1500 } });`;
    const folder = folderWith({ 'large.ts': system });
    const { out } = culprit(folder, 'hunt', 'large.ts', '--events', '2000', '--minimize-seconds', '1');
    const [, saved = ''] = /saved {5}(\S+)/.exec(out) ?? [];
    expect(saved).toMatch(/^\.culprit\/few-[0-9a-f]{4}\.min\.trace\.gz$/);
    expect(out).toContain(`\n          ${saved.replace('.min', '')}, before minimizing\n`);
    expect(readFileSync(join(folder, saved)).length).toBeLessThan(100_000);
    expect(culprit(folder, 'replay', saved)).toMatchObject({ code: 1, err: '' });
  });
});

describe('culprit hunt, given', () => {
  const bad = (system: string): string => `import { behavior, defineSystem } from 'culprit';\n${system}`;
  test.each([
    ['no module there', ['missing.ts'], {}, 'there is no file missing.ts.'],
    ['a folder', ['.'], {}, '. is a folder, not a module.'],
    [
      'a module without a system',
      ['x.ts'],
      { 'x.ts': 'export const a = 1;' },
      'x.ts exports no system by default (it exports a).',
    ],
    [
      'a module that throws',
      ['x.ts'],
      { 'x.ts': 'throw new Error("not today");' },
      'x.ts threw while it was loaded: Error: not today',
    ],
    [
      'a module that does not compile',
      ['x.ts'],
      { 'x.ts': 'const = 1;' },
      'x.ts cannot be compiled: x.ts:1: Expected identifier but found "=".',
    ],
    [
      'a module with an import that is not there',
      ['x.ts'],
      { 'x.ts': "import './y.ts';" },
      'x.ts cannot be compiled: x.ts:1: Could not resolve "./y.ts".',
    ],
    [
      'an unknown parameter',
      ['lock.system.ts', '--set', 'owner=true'],
      {},
      'the system has no parameter called owner: it has checksOwner.',
    ],
    [
      'a wrong value',
      ['lock.system.ts', '--set', 'checksOwner=yes'],
      {},
      'the parameter checksOwner takes a boolean, not "yes".',
    ],
    [
      'a setting without a value',
      ['lock.system.ts', '--set', 'checksOwner'],
      {},
      'Use name=value, such as --set nodes=5.',
    ],
    ['no time to minimize', ['lock.system.ts', '--minimize-seconds', '0'], {}, "'--minimize-seconds <n>' argument '0'"],
    [
      'a process without a behavior',
      ['x.ts'],
      { 'x.ts': bad('export default defineSystem({ processes: { a: {} as never } });') },
      'the system has no processes.a.start.',
    ],
    [
      'a name that is taken',
      ['x.ts'],
      {
        'x.ts': bad(
          'export default defineSystem({ processes: { environment: { start: () => ({}), receive() {} } } });',
        ),
      },
      '"environment" cannot be the name of a process.',
    ],
    [
      'an unknown transport',
      ['x.ts'],
      {
        'x.ts': bad(
          "const a = behavior({ start: () => ({}), receive() {} });\nexport default defineSystem({ processes: { a }, transport: 'pigeon' as never });",
        ),
      },
      'transport is one of fifo, unordered, not "pigeon".',
    ],
    [
      'an invariant that throws',
      ['x.ts'],
      {
        'x.ts': bad(
          "const a = behavior({ start: () => ({}), receive() {} });\nexport default defineSystem({ processes: { a }, invariants: { odd() { throw new Error('hm'); } } });",
        ),
      },
      'the invariant odd threw after event 0: Error: hm',
    ],
    [
      'a peer that is not there',
      ['x.ts'],
      {
        'x.ts': bad(
          "const a = behavior<object, string>({ start(ctx) { ctx.send('z', 'x'); return {}; }, receive() {} });\nexport default defineSystem({ processes: { a } });",
        ),
      },
      'a: there is no process called "z": the system has a.',
    ],
    [
      'a rejected promise outside of any process that no code awaits',
      ['x.ts'],
      {
        'x.ts': bad(
          "const a = behavior({ start: () => ({}), receive() {} });\nvoid Promise.reject(new Error('lost'));\nexport default defineSystem({ processes: { a } });",
        ),
      },
      'an unawaited promise was rejected: Error: lost',
    ],
    [
      'a system that ends the process',
      ['x.ts', '--workers', '2'],
      {
        'x.ts': bad(
          'const a = behavior({ start(ctx) { if (ctx.random.below(99) === 0) process.exit(0); return {}; }, receive() {} });\nexport default defineSystem({ processes: { a } });',
        ),
      },
      'ended the process, with exit code 0.',
    ],
    [
      'a timer that throws',
      ['x.ts'],
      {
        'x.ts': bad(
          "const a = behavior({ start() { setTimeout(() => { throw new Error('late'); }); return {}; }, receive() {} });\nexport default defineSystem({ processes: { a } });",
        ),
      },
      'an exception outside of any event: Error: late',
    ],
    [
      'a system that is not deterministic',
      ['x.ts'],
      {
        'x.ts': bad(
          'const a = behavior({ start: () => ({ n: Math.random() }), receive() {} });\nexport default defineSystem({ processes: { a }, invariants: { never: (world) => world.up().length === 0 } });',
        ),
      },
      'event 1: a (start): a.n is 0.',
    ],
  ])('%s, reports it and exits with 2', (_what, args, files, problem) => {
    const { code, out, err } = culprit(folderWith(files), 'hunt', ...args);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(problem) as unknown });
    expect(out).not.toContain('violated');
  });
});

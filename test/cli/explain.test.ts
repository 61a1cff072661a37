import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { culprit, culpritWith, makeFolder, removeFolder } from './culprit.ts';

const saved = '.culprit/mutual-exclusion-8dfc.trace';

let folder: string;

beforeAll(() => {
  folder = makeFolder();
  culprit(folder, 'hunt', 'lock.system.ts', '--no-minimize');
});

afterAll(() => removeFolder(folder));

const steps = [
  '  1–4  lock, client-1, client-2, client-3 start  lock {holder: null}, client-1, client-2, client-3 {phase: waiting}',
  '    5  lock      gets acquire from client-2  holder: null → client-2',
];

/** Two hundred different events. */
const long = `import { behavior, defineSystem } from 'culprit';
const a = behavior({
  start(ctx) { ctx.send('a', 1); return { n: 0 }; },
  receive(state, message, ctx) { state.n = message; ctx.send('a', message + 1); },
});
export default defineSystem({
  processes: { a },
  invariants: { few: (world) => world.length < 200 || 'too many' },
});`;

describe('culprit explain', () => {
  test('describes the execution, step by step', () => {
    const { code, out, err } = culprit(folder, 'explain', saved);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out.split('\n').slice(0, 5)).toEqual([
      'violated  mutualExclusion: client-2 and client-3 both hold the lock',
      '          11 events',
      '',
      ...steps,
    ]);
  });

  test('uses colors on request, one per process', () => {
    const { out } = culpritWith({ FORCE_COLOR: '1' }, folder, 'explain', saved);
    // eslint-disable-next-line no-control-regex
    const names = [...out.matchAll(/(\u001b\[\d+m)(lock|client-\d)\u001b\[39m/g)].map(
      ([, color, name]) => `${name} ${color}`,
    );
    expect(new Set(names).size).toBe(4);
    expect(names.length).toBeGreaterThan(10);
    // eslint-disable-next-line no-control-regex
    expect(out.replaceAll(/\u001b\[\d+m/g, '')).toBe(culprit(folder, 'explain', saved).out);
  });

  test('prints the story without the system, and says what is missing', () => {
    const elsewhere = makeFolder();
    cpSync(join(folder, saved), join(elsewhere, 'x.trace'));
    rmSync(join(elsewhere, 'lock.system.ts'));
    const { code, out } = culprit(elsewhere, 'explain', 'x.trace');
    removeFolder(elsewhere);
    expect(code).toBe(0);
    expect(out).toContain(steps.join('\n'));
    expect(out).toContain(`
missing   the system, so there is no why: the trace names the module lock.system.ts, which does not exist.
next      Give its new path: culprit explain x.trace --system path/to/lock.system.ts
`);
  });

  test('an older trace is described in the current phrases; if they fail, in the default wording', () => {
    const worded = (words: string): string =>
      readFileSync(join(folder, 'lock.system.ts'), 'utf8').replace(
        'invariants: {',
        `phrases: { ${words} }, invariants: {`,
      );
    writeFileSync(join(folder, 'worded.ts'), worded("timer: () => 'gives up'"));
    writeFileSync(join(folder, 'speechless.ts'), worded("timer: () => { throw new Error('speechless'); }"));
    expect(culprit(folder, 'explain', saved, '--system', 'worded.ts').out).toMatch(
      / 7 {2}client-1 {2}gives up +phase: waiting → done\n/,
    );
    const { code, out } = culprit(folder, 'explain', saved, '--system', 'speechless.ts');
    expect(code).toBe(0);
    expect(out).toMatch(/ 7 {2}client-1 {2}timer enough fires +phase: waiting → done\n/);
    expect(out).toContain(
      "missing   the system's own words: phrases.timer, asked about event 7 (client-1, fire), threw: Error: speechless",
    );
  });

  test('shows the end of a long trace, or all of it', () => {
    writeFileSync(join(folder, 'long.ts'), long);
    const { out: found } = culprit(folder, 'hunt', 'long.ts', '--no-minimize', '--out', 'long');
    const path = /^saved +(.*)$/m.exec(found)?.[1] ?? '';
    const [some = '', all = ''] = [[], ['--all']].map(
      (more) => culprit(folder, 'explain', path, '--no-why', ...more).out,
    );
    expect(some).toContain('  … 80 earlier events\n');
    expect([some, all].map((out) => out.split('\n').length)).toEqual([127, 206]);
  });

  test.each([
    [['nowhere.trace'], 'nowhere.trace cannot be read'],
    [['lock.system.ts'], 'lock.system.ts, line 1 is not JSON'],
    [[saved, '--system', 'nowhere.ts'], 'there is no file nowhere.ts.'],
  ])('says what is wrong with %j', (args, problem) => {
    const { code, out, err } = culprit(folder, 'explain', ...args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(problem);
  });
});

test('a phrase that fails is named by a hunt, which exits with 2 and keeps its findings', () => {
  const broken = readFileSync(join(folder, 'lock.system.ts'), 'utf8').replace(
    'invariants: {',
    "phrases: { state: (state) => { if ('phase' in state && state.phase === 'holding') throw new Error('speechless'); return 'fine'; } }, invariants: {",
  );
  writeFileSync(join(folder, 'broken.ts'), broken);
  const { code, out, err } = culprit(folder, 'hunt', 'broken.ts', '--out', 'kept', '--no-minimize');
  expect(code).toBe(2);
  expect(err).toMatch(
    /error {5}seed 0: phrases\.state, asked about event 6 \(client-2, deliver\), threw: Error: speechless/,
  );
  expect(out).toContain('saved     kept/mutual-exclusion-8dfc.trace');
  expect(culprit(folder, 'explain', 'kept/mutual-exclusion-8dfc.trace', '--system', 'lock.system.ts').out).toContain(
    steps.join('\n'),
  );
});

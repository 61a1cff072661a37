import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  countingSystem,
  culprit,
  culpritWith,
  folderWith,
  interrupted,
  makeFolder,
  MOMENT,
  removeFolder,
} from './culprit.ts';

let original: string;

beforeAll(() => {
  original = makeFolder();
  writeFileSync(join(original, 'x.ts'), countingSystem(3_000));
  culprit(original, 'hunt', 'lock.system.ts');
  culprit(original, 'hunt', 'x.ts', '--set', 'limit=2', '--no-minimize');
});

afterAll(() => removeFolder(original));

/** A folder with two systems, a trace of each, and a minimized one of the first. */
function hunted(): string {
  const folder = folderWith();
  cpSync(original, folder, { recursive: true });
  return folder;
}

function edit(path: string, from: string, to: string): void {
  const before = readFileSync(path, 'utf8');
  if (!before.includes(from)) throw new Error(`${path} does not contain ${from}`);
  writeFileSync(path, before.replaceAll(from, to));
}

const saved = '.culprit/mutual-exclusion-8dfc.min.trace';
const counted = (folder: string): string =>
  `.culprit/${readdirSync(join(folder, '.culprit')).find((name) => name.startsWith('limited')) ?? ''}`;

describe('culprit replay of all traces', () => {
  test('prints one line per trace, and takes a minimized one instead of its original', () => {
    const folder = hunted();
    const other = counted(folder);
    const before = readdirSync(join(folder, '.culprit'));
    const { code, out, err } = culprit(folder, 'replay');
    expect({ code, err }).toEqual({ code: 1, err: '' });
    expect(out).toBe(`replay    2 traces in .culprit
          ${other}  reproduced: limited: does not hold
          ${saved}  reproduced: mutualExclusion: client-1 and client-3 both hold the lock
summary   2 traces: 2 reproduced
`);
    expect(readdirSync(join(folder, '.culprit'))).toEqual(before);
  });

  test('annotates each violation in a workflow of GitHub, and adds all stories to the summary', () => {
    const folder = hunted();
    const env = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: join(folder, 'summary.md') };
    const { out, err } = culpritWith(env, folder, 'replay');
    expect(out).not.toContain('::error');
    expect(err.match(/^::error file=[^,]+,title=\w+/gm)).toEqual([
      '::error file=x.ts,title=limited',
      '::error file=lock.system.ts,title=mutualExclusion',
    ]);
    const summary = readFileSync(env.GITHUB_STEP_SUMMARY, 'utf8');
    expect(summary.match(/^### culprit found a violation$/gm)).toHaveLength(2);
    const minimized = culpritWith(env, folder, 'minimize', saved, '--no-why');
    expect(minimized.err).toMatch(/^::error file=lock\.system\.ts,title=mutualExclusion::/);
  });

  test('exits with 0 if all are fixed, 3 if one diverged, 2 if one cannot be read; the same in JSON', () => {
    const folder = hunted();
    edit(join(folder, 'lock.system.ts'), ' || !checksOwner)', ')');
    edit(join(folder, 'x.ts'), 'seen.length < limit', 'seen.length <= limit');
    const fixed = culprit(folder, 'replay', '.culprit', '--neighbors', '0');
    expect(fixed.code).toBe(0);
    expect(fixed.out).toContain('\nsummary   2 traces: 2 no violation any more\n');
    edit(join(folder, 'x.ts'), "'n' + at", "'m' + at");
    const diverged = culprit(folder, 'replay', '--neighbors', '0', '--json');
    expect(diverged.code).toBe(3);
    expect(JSON.parse(diverged.out)).toMatchObject({
      folder: '.culprit',
      total: 2,
      interrupted: false,
      summary: { diverged: 1, 'no violation any more': 1 },
      traces: [
        {
          answer: 'diverged',
          deviation: { event: 2 },
          hint: 'did you rename n0, n1, n2? The system now has m0, m1, m2.',
          recordedWith: [{ name: 'limit', recorded: 2, byDefault: 0 }],
        },
        { path: saved, answer: 'fixed', outcome: 'no violation any more' },
      ],
    });
    writeFileSync(join(folder, '.culprit', 'cut.trace'), 'hello');
    const damaged = culprit(folder, 'replay', '--neighbors', '0');
    expect(damaged.code).toBe(2);
    expect(damaged.out).toContain(
      '          .culprit/cut.trace  cannot be read: .culprit/cut.trace, line 1 is not JSON',
    );
    expect(damaged.out).toContain(
      '  diverged at event 2: the recording has n0 start, but there is no process called "n0"',
    );
  });

  test('needs a trace, and reports if there is none', () => {
    const { code, err } = culprit(folderWith(), 'replay');
    expect(code).toBe(2);
    expect(err).toContain('there is no trace in .culprit.\n');
  });

  test('says where it was stopped', async () => {
    const folder = hunted();
    edit(join(folder, 'x.ts'), 'ctx.self + n', "ctx.self + '-' + n");
    edit(join(folder, 'x.ts'), 'limit === 0', 'true');
    const { code, out } = await interrupted(folder, { at: MOMENT }, 'replay', '--neighbors', '1000000');
    expect(code).toBe(130);
    expect(out).toBe('replay    2 traces in .culprit\nstopped   after 0 of 2 traces: none replayed\n');
    const one = ['replay', counted(folder), '--neighbors', '1000000', '--json'];
    const { code: again, out: json } = await interrupted(folder, { at: MOMENT }, ...one);
    const report = { report: 'replay', format: '1.0', path: counted(folder), answer: 'unknown', interrupted: true };
    expect([again, JSON.parse(json)]).toEqual([130, report]);
  });
});

describe('culprit replay of one trace', () => {
  test('names the recorded parameters if the defaults differ', () => {
    const folder = hunted();
    const { code, out } = culprit(folder, 'replay', counted(folder));
    expect(code).toBe(1);
    expect(out).toContain('\nrecorded  with limit=2; the default is now limit=0. Replay uses the recorded values\n');
  });

  test('prints the same as JSON', () => {
    const folder = hunted();
    const { code, out } = culprit(folder, 'replay', saved, '--json');
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({
      path: saved,
      answer: 'reproduced',
      by: 'replay',
      verdict: { oracle: 'mutualExclusion' },
      recordedWith: [],
      interrupted: false,
    });
  });
});

test('a hunt recognizes a bug that was found before an edit', () => {
  const folder = hunted();
  edit(join(folder, 'lock.system.ts'), "phase: 'waiting' };", "phase: 'waiting', since: 7 } as never;");
  const { out } = culprit(folder, 'hunt', 'lock.system.ts', '--no-minimize', '--json');
  const { findings } = JSON.parse(out) as { findings: { known?: string; path: string }[] };
  expect(findings).toMatchObject([{ known: saved, path: expect.not.stringContaining('8dfc.trace') as unknown }]);
});

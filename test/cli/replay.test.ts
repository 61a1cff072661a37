import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { culprit, folderWith, makeFolder, removeFolder } from './culprit.ts';

const saved = '.culprit/mutual-exclusion-8dfc.trace';

let original: string;

beforeAll(() => {
  original = makeFolder();
  culprit(original, 'hunt', 'lock.system.ts');
});

afterAll(() => removeFolder(original));

/** A folder in which a hunt has found the lock's bug, with its trace. */
function hunted(): string {
  const folder = folderWith();
  cpSync(original, folder, { recursive: true });
  return folder;
}

/** Changes a file's text; throws if the old text is missing. */
function edit(folder: string, name: string, from: string | RegExp, to: string): void {
  const path = join(folder, name);
  const before = readFileSync(path, 'utf8');
  const after = before.replace(from, to);
  if (after === before) throw new Error(`${name} does not contain ${String(from)}`);
  writeFileSync(path, after);
}

describe('culprit replay', () => {
  test('reproduces the violation from the file alone, from any folder', () => {
    const folder = hunted();
    mkdirSync(join(folder, 'deep', 'down'), { recursive: true });
    const { code, out, err } = culprit(join(folder, 'deep', 'down'), 'replay', join(folder, saved));
    expect({ code, err }).toEqual({ code: 1, err: '' });
    expect(out).toContain('violated  mutualExclusion: client-2 and client-3 both hold the lock');
    expect(out).toContain('all 11 events of ');
  });

  test('does not need the module at its recorded place', () => {
    const folder = hunted();
    renameSync(join(folder, 'lock.system.ts'), join(folder, 'moved.ts'));
    const missing = culprit(folder, 'replay', saved);
    expect(missing.code).toBe(2);
    expect(missing.err).toContain('the trace names the module lock.system.ts, which does not exist.');
    expect(missing.err).toContain(`culprit replay ${saved} --system path/to/lock.system.ts`);
    expect(culprit(folder, 'replay', saved, '--system', 'moved.ts').code).toBe(1);
  });

  test('saves no finding if the trace has no violation', () => {
    const folder = hunted();
    edit(folder, saved, /\{"verdict":"violated".*?"fingerprint":"[^"]*",/, '{"verdict":"holds",');
    const { code, err } = culprit(folder, 'replay', saved);
    expect(code).toBe(2);
    expect(err).toContain(
      'the verdict is "mutualExclusion: client-2 and client-3 both hold the lock", and was "holds"',
    );
  });
});

describe('culprit replay, after a change, answers', () => {
  /** The output after the story, if there is one. */
  const answer = (out: string): string => out.slice(out.indexOf('replayed'));

  test('fixed, if the same event in the same state is handled differently', () => {
    const folder = hunted();
    edit(folder, 'lock.system.ts', ' || !checksOwner)', ')');
    const { code, out, err } = culprit(folder, 'replay', saved);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatchInlineSnapshot(`
      "replayed  fixed: .culprit/mutual-exclusion-8dfc.trace no longer violates mutualExclusion
                the code now handles an event differently: step 9: lock (deliver): lock.holder is unchanged, and was null in the recording.
      tried     203 schedules near the recorded one, 77 distinct: none violates it
      next      culprit hunt lock.system.ts
      "
    `);
    expect(tracesOf(folder)).toEqual([saved.replace('.trace', '.min.trace'), saved]);
  });

  test('fixed, if every event still happens and the verdict is different', () => {
    const folder = hunted();
    edit(folder, 'lock.system.ts', 'holders.length < 2', 'holders.length < 3');
    const { code, out } = culprit(folder, 'replay', saved, '--neighbors', '5');
    expect(code).toBe(0);
    expect(out).toContain('every recorded event still happens, and mutualExclusion holds\ntried     8 schedules');
  });

  test.each([
    [
      'a message is renamed by its sender',
      "ctx.send('lock', { type: 'acquire' });",
      "ctx.send('lock', { type: 'request' } as never);",
      'step 5: lock (deliver): message.type is "request", and was "acquire" in the recording.',
    ],
    [
      'a message says something else, and all events happen',
      "{ type: 'granted' });",
      "{ type: 'ok' } as never);",
      'step 6: client-2 (deliver): message.type is "ok", and was "granted" in the recording.',
    ],
    [
      'an event cannot happen',
      "ctx.setTimer('enough', 100);",
      '',
      'step 7: the recording has client-1 firing enough, but only lock receiving {"type":"acquire"} from client-1, lock receiving {"type":"acquire"} from client-3 can happen.',
    ],
  ])('diverged, if %s', (_what, from, to, step) => {
    const folder = hunted();
    edit(folder, 'lock.system.ts', from, to);
    const { code, out, err } = culprit(folder, 'replay', saved);
    expect({ code, err }).toEqual({ code: 3, err: '' });
    const [said, meaning, tried, next] = out.split('\n');
    expect(said).toBe(`replayed  diverged at ${step}`);
    expect(meaning).toContain('It does not violate mutualExclusion, but that does not show whether the bug is fixed.');
    expect(tried).toMatch(/^tried {5}203 schedules near the recorded one, \d+ distinct: none violates it$/);
    expect(next).toBe('next      culprit hunt lock.system.ts');
  });

  test('reproduced, if another message comes first, and saves that execution', () => {
    const folder = hunted();
    const acquire = "ctx.send('lock', { type: 'acquire' });";
    edit(folder, 'lock.system.ts', acquire, `ctx.send('lock', { type: 'hello' } as never);\n    ${acquire}`);
    const { code, out, err } = culprit(folder, 'replay', saved);
    expect({ code, err }).toEqual({ code: 1, err: '' });
    expect(out).toContain('  11  lock      gets release from client-1  holder: client-2 → null\n');
    expect(answer(out)).toMatchInlineSnapshot(`
      "replayed  reproduced by the same schedule, but not exactly as recorded in .culprit/mutual-exclusion-8dfc.trace
                step 5: lock (deliver): message.type is "hello", and was "acquire" in the recording.
      saved     .culprit/mutual-exclusion-6f11.trace
      view      npx culprit view .culprit/mutual-exclusion-6f11.trace
      explain   npx culprit explain .culprit/mutual-exclusion-6f11.trace
      replay    npx culprit replay .culprit/mutual-exclusion-6f11.trace
      "
    `);
    const again = culprit(folder, 'replay', '.culprit/mutual-exclusion-6f11.trace');
    expect(again.code).toBe(1);
    expect(answer(again.out)).toContain('with the same states and messages');
  });

  test('reproduced, if only states look different', () => {
    const folder = hunted();
    edit(folder, 'lock.system.ts', 'state.holder = ctx.from;', "state.holder = ctx.from + '!';");
    const { code, out } = culprit(folder, 'replay', saved, '--out', 'kept');
    expect(code).toBe(1);
    expect(answer(out)).toContain('step 5: lock (deliver): lock.holder is "client-2!", and was "client-2" in the');
    expect(answer(out)).toContain('saved     kept/mutual-exclusion-8dfc.trace');
  });

  test('neither, if the change causes a different violation: that is shown and saved', () => {
    const folder = hunted();
    edit(folder, 'lock.system.ts', ' || !checksOwner)', " || lock.receive.name.at(99)!.includes(''))");
    const { code, out } = culprit(folder, 'replay', saved);
    expect(code).toBe(1);
    expect(out).toContain('replayed  diverged at step 9: ');
    expect(out).toContain('violated  noUncaughtException: lock threw TypeError');
    expect(out).toContain('other     a nearby schedule has a different violation\nsaved     .culprit/no-un');
    expect(tracesOf(folder)).toHaveLength(3);
  });

  test('nothing, if the system has become nondeterministic', () => {
    const folder = hunted();
    edit(folder, 'lock.system.ts', 'state.holder = ctx.from;', 'state.holder = ctx.from + Math.random();');
    const { code, out, err } = culprit(folder, 'replay', saved);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain('Likely leak: Math.random at lock.system.ts:');
  });
});

/** The saved traces. */
const tracesOf = (folder: string): string[] => readdirSync(join(folder, '.culprit')).map((name) => `.culprit/${name}`);

describe('culprit replay, given', () => {
  const path = (folder: string): string => join(folder, saved);
  test.each<[string, (folder: string) => void, string | RegExp]>([
    ['no file', (folder) => renameSync(path(folder), `${path(folder)}.old`), 'cannot be read: it does not exist.'],
    ['an empty file', (folder) => writeFileSync(path(folder), ''), 'is empty.'],
    ['something else', (folder) => writeFileSync(path(folder), 'hello'), 'line 1 is not JSON'],
    [
      'half a file',
      (folder) => writeFileSync(path(folder), readFileSync(path(folder)).subarray(0, 1000)),
      'the file is truncated.',
    ],
    [
      'a damaged archive',
      (folder) => writeFileSync(path(folder), Buffer.from([0x1f, 0x8b, 1, 2, 3])),
      'cannot be unpacked',
    ],
    [
      'another version',
      (folder) => edit(folder, saved, '"format":"1.9"', '"format":"9.0"'),
      'has the format 9.0; this culprit reads 1.0 to 1.9.',
    ],
    [
      'an unknown parameter',
      (folder) => edit(folder, saved, '"checksOwner":false', '"owner":false'),
      'the system has no parameter called owner',
    ],
    [
      'a module that is not a system',
      (folder) => writeFileSync(join(folder, 'lock.system.ts'), 'export default 1;'),
      'exports no system by default',
    ],
  ])('%s, reports it, exits with 2, and changes nothing', (_what, damage, problem) => {
    const folder = hunted();
    damage(folder);
    const before = tryRead(path(folder));
    const { code, err } = culprit(folder, 'replay', saved);
    expect(code).toBe(2);
    expect(err).toMatch(problem);
    expect(err).toContain('\nnext      ');
    expect(tryRead(path(folder))).toEqual(before);
  });
});

const tryRead = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
};

import { cpSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
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

/** Changes a file's text; says so when there is nothing to change. */
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
    expect(out).toContain('came out the same (11 events)');
  });

  test('does not need the module where it was', () => {
    const folder = hunted();
    renameSync(join(folder, 'lock.system.ts'), join(folder, 'moved.ts'));
    const missing = culprit(folder, 'replay', saved);
    expect(missing.code).toBe(2);
    expect(missing.err).toContain('the trace was made from lock.system.ts, which is not there.');
    expect(missing.err).toContain(`culprit replay ${saved} --system path/to/lock.system.ts`);
    expect(culprit(folder, 'replay', saved, '--system', 'moved.ts').code).toBe(1);
  });

  test('stops at the first state that differs, and names it', () => {
    const folder = hunted();
    edit(folder, 'lock.system.ts', 'state.holder = ctx.from;', "state.holder = ctx.from + '!';");
    const { code, err } = culprit(folder, 'replay', saved);
    expect(code).toBe(2);
    expect(err).toMatchInlineSnapshot(`
      "error     event 5: lock (deliver): lock.holder is "client-2!", and was "client-2" in the recording.
      next      Executed again, it comes out the same every time: the system has likely changed since. Hunt again, or delete the trace.
      "
    `);
  });

  test('stops at the first event that cannot happen, and says what can', () => {
    const folder = hunted();
    edit(folder, 'lock.system.ts', "ctx.setTimer('enough', 100);", '');
    const { code, err } = culprit(folder, 'replay', saved);
    expect(code).toBe(2);
    expect(err).toMatchInlineSnapshot(`
      "error     event 7: the recording has client-1 firing enough, but only lock receiving {"type":"acquire"} from client-1, lock receiving {"type":"acquire"} from client-3 can happen.
      next      Executed again, it comes out the same every time: the system has likely changed since. Hunt again, or delete the trace.
      "
    `);
  });

  test('notices a verdict that is another one', () => {
    const folder = hunted();
    edit(folder, 'lock.system.ts', 'holders.length < 2', 'holders.length < 3');
    const { code, err } = culprit(folder, 'replay', saved);
    expect(code).toBe(2);
    expect(err).toContain(
      'the verdict is "holds", and was "mutualExclusion: client-2 and client-3 both hold the lock" in the recording',
    );
  });
});

describe('culprit replay, given', () => {
  const path = (folder: string): string => join(folder, saved);
  test.each<[string, (folder: string) => void, string | RegExp]>([
    ['no file', (folder) => renameSync(path(folder), `${path(folder)}.old`), 'cannot be read: ENOENT'],
    ['an empty file', (folder) => writeFileSync(path(folder), ''), 'is empty.'],
    ['something else', (folder) => writeFileSync(path(folder), 'hello'), 'line 1 is not JSON'],
    [
      'half a file',
      (folder) => writeFileSync(path(folder), readFileSync(path(folder)).subarray(0, 1000)),
      'it was cut short.',
    ],
    [
      'a damaged archive',
      (folder) => writeFileSync(path(folder), Buffer.from([0x1f, 0x8b, 1, 2, 3])),
      'cannot be unpacked',
    ],
    [
      'another version',
      (folder) => edit(folder, saved, '"format":"1.2"', '"format":"9.0"'),
      'has the format 9.0; this culprit reads 1.0 to 1.2.',
    ],
    [
      'an unknown process',
      (folder) => edit(folder, saved, '"kind":"start","process":"client-2"', '"kind":"start","process":"client-9"'),
      'there is no process called "client-9"',
    ],
    [
      'an unknown message',
      (folder) => edit(folder, saved, /("kind":"deliver".*?"id":")[0-9a-f]{16}/, '$10000000000000000'),
      /event 5: the recording has lock receiving \{"type":"acquire"\} from client-2, but only /,
    ],
    [
      'a changed message',
      (folder) => edit(folder, saved, '"message":{"type":"acquire"}', '"message":{"type":"aquire"}'),
      'event 5: lock (deliver): message.type is "acquire", and was "aquire" in the recording',
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
  ])('%s, says so, exits with 2, and changes nothing', (_what, damage, problem) => {
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

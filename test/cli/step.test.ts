import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { readTrace } from 'culprit/trace';
import { culprit, culpritReading, folderWith, makeFolder, removeFolder, type Ran } from './culprit.ts';

const scripts = fileURLToPath(new URL('step', import.meta.url));
const scriptOf = (name: string): string => readFileSync(join(scripts, `${name}.txt`), 'utf8');

function addSystems(folder: string): void {
  for (const name of ['store', 'voter', 'network'])
    cpSync(join(scripts, `${name}.system.ts`), join(folder, `${name}.system.ts`));
}

/** A folder with the lock and the systems of the scripts. */
function folderWithSystems(): string {
  const folder = folderWith();
  addSystems(folder);
  return folder;
}

const step = (folder: string, input: string, ...args: readonly string[]): Ran =>
  culpritReading(input, folder, 'step', ...args);

/** The output of the last command of a script. */
const lastAnswer = (out: string): string => out.slice(out.lastIndexOf('\n> ') + 1);

/** What a script does is the same every time, so the tests share the first time. */
interface Stepped extends Ran {
  readonly folder: string;
}
const stepped = new Map<string, Stepped>();
afterAll(() => {
  for (const { folder } of stepped.values()) removeFolder(folder);
});

function scripted(name: string): Stepped {
  const folder = makeFolder();
  addSystems(folder);
  const made = { folder, ...step(folder, scriptOf(name), `${name}.system.ts`) };
  stepped.set(name, made);
  return made;
}

const firstOf = (name: string): Stepped => stepped.get(name) ?? scripted(name);

// `npx vitest run test/cli/step.test.ts -u` writes the transcripts again; read them before you commit them.
describe.each(['lock', 'store', 'voter', 'network'])('a script of the %s', (name) => {
  test('runs command by command', async () => {
    const { code, out, err } = firstOf(name);
    expect({ code, err }).toEqual({ code: 1, err: '' });
    await expect(out).toMatchFileSnapshot(`step/${name}.golden`);
  });

  test('saves what replays exactly, and says how it was made', () => {
    const { folder } = firstOf(name);
    const saved = readdirSync(join(folder, '.culprit')).map((file) => join('.culprit', file));
    const all = existsSync(join(folder, 'lost.trace')) ? [...saved, 'lost.trace'] : saved;
    expect(all.length).toBe(name === 'store' ? 2 : 1);
    for (const path of all) {
      const { header, events } = readTrace(readFileSync(join(folder, path), 'utf8'), path);
      expect(header.options).toEqual({ strategy: 'step', eventsMax: 1_000 });
      expect(culprit(folder, 'replay', path).out).toContain(
        `replayed  reproduced: all ${events.length} events of ${path} match, with the same states and messages`,
      );
    }
  });

  test('does the same every time, and can be had back from what was done', () => {
    const folder = folderWithSystems();
    const second = step(folder, `${scriptOf(name)}\nstory\nscript`, `${name}.system.ts`).out;
    const first = firstOf(name).out;
    expect(second.startsWith(first)).toBe(true);
    const done = lastAnswer(second);
    const again = step(folder, `${done.replace('> script\n', '')}\nstory\nscript`, `${name}.system.ts`).out;
    // Both end with the same story and the same script.
    expect(again.endsWith(second.slice(first.length))).toBe(true);
  });
});

describe('a script', () => {
  test('that ends with a violation is minimized like any other', () => {
    const folder = folderWith();
    const { out } = step(folder, 'run until violated seed 42\nsave wild.trace', 'lock.system.ts');
    expect(out).toContain('smaller   npx culprit minimize wild.trace');
    expect(culprit(folder, 'minimize', 'wild.trace').out).toContain('violated  mutualExclusion: ');
  });
});

describe('a script, given', () => {
  test('an impossible command, names the line, says what to do next and exits with 2', () => {
    const { code, out, err } = step(folderWith(), '# once\n\nrestart lock\nlist\n', 'lock.system.ts');
    expect({ code, err }).toEqual({
      code: 2,
      err: 'error     line 3: restart lock is refused: lock is up.\nnext      `state` and `pending` show the current state.\n',
    });
    // Later commands may rely on it.
    expect(out).not.toContain('> list');
  });

  test('nothing, or `quit`, exits with 0 and saves nothing', () => {
    const folder = folderWith();
    expect(step(folder, '', 'lock.system.ts').code).toBe(0);
    const { code, out } = step(folder, '1\nquit\nlist\n', 'lock.system.ts');
    expect({ code, last: lastAnswer(out) }).toEqual({ code: 0, last: '> quit\n' });
    expect(
      readdirSync(folder)
        .filter((name) => name === '.culprit')
        .flatMap((name) => readdirSync(join(folder, name))),
    ).toEqual([]);
  });

  test('an execution that has ended, continues only after an undo', () => {
    expect(firstOf('lock').out).toContain('violated  mutualExclusion');
    const { err, code } = step(folderWith(), `${scriptOf('lock')}\ncrash lock`, 'lock.system.ts');
    expect({ code, err }).toEqual({
      code: 2,
      err: 'error     line 25: the execution has ended: violated.\nnext      Take the last event back with `undo`, or save a trace with `save`.\n',
    });
  });
});

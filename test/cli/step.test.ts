import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { readTrace } from 'culprit/trace';
import { culprit, culpritReading, folderWith, type Ran } from './culprit.ts';

const scripts = fileURLToPath(new URL('step', import.meta.url));
const scriptOf = (name: string): string => readFileSync(join(scripts, `${name}.txt`), 'utf8');

/** A folder with the lock and the systems of the scripts. */
function folderWithSystems(): string {
  const folder = folderWith();
  for (const name of ['store', 'voter', 'network'])
    cpSync(join(scripts, `${name}.system.ts`), join(folder, `${name}.system.ts`));
  return folder;
}

const step = (folder: string, input: string, ...args: readonly string[]): Ran =>
  culpritReading(input, folder, 'step', ...args);

/** The output of the last command of a script. */
const lastAnswer = (out: string): string => out.slice(out.lastIndexOf('\n> ') + 1);

// `npx vitest run test/cli/step.test.ts -u` writes the transcripts again; read them before you commit them.
describe('a script', () => {
  test.each([
    ['lock', 1],
    ['store', 1],
    ['voter', 1],
    ['network', 1],
  ])('of the %s runs command by command, the same every time', async (name, exitCode) => {
    const folder = folderWithSystems();
    const first = step(folder, scriptOf(name), `${name}.system.ts`);
    expect({ code: first.code, err: first.err }).toEqual({ code: exitCode, err: '' });
    await expect(first.out).toMatchFileSnapshot(`step/${name}.golden`);
    expect(step(folderWithSystems(), scriptOf(name), `${name}.system.ts`)).toEqual(first);
  });

  test.each(['lock', 'store', 'voter', 'network'])(
    'of the %s saves what replays exactly, and says how it was made',
    (name) => {
      const folder = folderWithSystems();
      step(folder, scriptOf(name), `${name}.system.ts`);
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
    },
  );

  test.each(['lock', 'store', 'voter', 'network'])('of the %s can be had back from what was done', (name) => {
    const folder = folderWithSystems();
    const done = lastAnswer(step(folder, `${scriptOf(name)}\nscript`, `${name}.system.ts`).out);
    const again = step(folder, `${done.replace('> script\n', '')}\nstory\nscript`, `${name}.system.ts`);
    expect(lastAnswer(again.out)).toBe(done);
    const story = step(folder, `${scriptOf(name)}\nstory`, `${name}.system.ts`).out;
    expect(again.out).toContain(lastAnswer(story));
  });

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
    const { out } = step(folderWith(), scriptOf('lock'), 'lock.system.ts');
    expect(out).toContain('violated  mutualExclusion');
    const { err, code } = step(folderWith(), `${scriptOf('lock')}\ncrash lock`, 'lock.system.ts');
    expect({ code, err }).toEqual({
      code: 2,
      err: 'error     line 25: the execution has ended: violated.\nnext      Take the last event back with `undo`, or save a trace with `save`.\n',
    });
  });
});

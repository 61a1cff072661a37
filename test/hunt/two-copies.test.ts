import type * as culprit from 'culprit';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

type Culprit = typeof culprit;

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The built package, installed a second time: in a folder of its own, from which it finds the packages that it uses. */
function anotherCopy(): Promise<Culprit> {
  const cache = join(root, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'copy-of-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  cpSync(join(root, 'package.json'), join(folder, 'package.json'));
  // Declarations are for compilers.
  cpSync(join(root, 'dist'), join(folder, 'dist'), { recursive: true, filter: (path) => !path.endsWith('.d.ts') });
  return import(pathToFileURL(join(folder, 'dist/index.js')).href) as Promise<Culprit>;
}

/** A process whose code continues in a queued microtask, which a copy has to follow. */
const echo = ({ behavior, defineSystem, send }: Culprit) =>
  defineSystem({
    processes: {
      echo: behavior<{ heard: number }, string>({
        start: () => ({ heard: 0 }),
        receive(state) {
          queueMicrotask(() => {
            state.heard += 1;
          });
        },
      }),
    },
    workload: [send('echo', 'one'), send('echo', 'two')],
    invariants: { hearsOne: (world) => world.up().every(({ state }) => state.heard < 2) },
  });

test('two copies of culprit take turns in one process', async () => {
  const copies = [await anotherCopy(), await anotherCopy()];
  expect(copies[0]?.check).not.toBe(copies[1]?.check);
  for (const copy of [...copies, ...copies, ...copies]) {
    const { verdict } = await copy.check(echo(copy));
    expect(verdict).toBe('violated');
  }
});

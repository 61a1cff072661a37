import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { CulpritError } from '../error.ts';
import { loadSystem } from './load-system.ts';

const folder = mkdtempSync(join(tmpdir(), 'culprit-load-'));
writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The first line of what is said about a module, with its name left out. */
async function saidOf(source: string, limits?: { cpuMs: number; wallMs: number }): Promise<string> {
  const file = join(folder, 'odd.ts');
  writeFileSync(file, source);
  const error: unknown = await loadSystem(relative('', file), limits).then(
    () => 'was loaded',
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof CulpritError)) throw error;
  return (error.message.split('\n')[0] as string).replace(relative('', file), 'odd.ts').replace(/\d+ ms/, '… ms');
}

const throwing = 'const toString = () => { throw new Error("trap"); };';

test.each([
  ['throws an error', 'throw new Error("no database");', 'threw while it was loaded: Error: no database'],
  ['throws a text', 'throw "no database";', 'threw while it was loaded: no database'],
  ['throws null', 'throw null;', 'threw while it was loaded: null'],
  ['throws undefined', 'throw undefined;', 'threw while it was loaded: undefined'],
  [
    'throws an object without a prototype',
    'throw Object.create(null);',
    'threw while it was loaded: an object that cannot be written as text',
  ],
  [
    'throws an object that throws',
    `${throwing} throw { toString };`,
    'threw while it was loaded: an object that cannot be written as text',
  ],
  ['exports nothing', 'const x = 1;', 'exports no system by default (it exports nothing).'],
  ['exports null', 'export default null;', 'exports no system by default (it exports default).'],
  ['exports a promise', 'export default Promise.resolve(1);', 'exports a promise by default, not a system.'],
  [
    'exports a revoked Proxy',
    'const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); export default proxy;',
    "has a default export that throws on access: TypeError: Cannot perform 'has' on a proxy that has been revoked",
  ],
  [
    'exports a getter that throws',
    'export default { get culprit() { throw new Error("trap"); } };',
    'has a default export that throws on access: Error: trap',
  ],
  [
    'removes a method',
    'delete Array.prototype.map; export default 1;',
    'removed Array.prototype.map, which culprit needs unchanged.',
  ],
  [
    'removes the iteration of lists, and throws',
    'delete Array.prototype[Symbol.iterator]; throw new Error("x");',
    'removed Array.prototype[Symbol.iterator], which culprit needs unchanged.',
  ],
  [
    'freezes prototypes, and replaces what is not needed',
    'Object.freeze(Set.prototype.has); const { random } = Math; Math.random = () => 0.5; Math.random = random;',
    'exports no system by default (it exports nothing).',
  ],
])('a module that %s is named', async (_what, source, said) => {
  expect(await saidOf(source)).toBe(`odd.ts ${said}`);
});

test('a module that never ends its first turn is ended, in a process that ends then', () => {
  const file = join(folder, 'odd.ts');
  writeFileSync(file, 'for (;;);');
  const program = `
    import { loadSystem } from ${JSON.stringify(new URL('load-system.ts', import.meta.url).href)};
    loadSystem('odd.ts', { cpuMs: 100, wallMs: 120_000 }).catch((error) => {
      process.stdout.write(error.message);
      process.exit(5);
    });`;
  const register = new URL('../../tools/source/register.mjs', import.meta.url).href;
  const args = ['--import', register, '--input-type=module', '--eval', program];
  const { status, stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
  expect([status, stdout.replace(/\d+ ms/, '… ms')]).toEqual([
    5,
    'odd.ts does not finish loading: its top level ran for … ms without a pause, and was ended.',
  ]);
});

test('a module that awaits for ever is given up', async () => {
  const said = await saidOf('await new Promise(() => {});', { cpuMs: 60_000, wallMs: 50 });
  expect(said).toBe('odd.ts does not finish loading: it still awaits a promise after … ms.');
});

test('a module and its imports know where they are', async () => {
  mkdirSync(join(folder, 'deep'), { recursive: true });
  writeFileSync(
    join(folder, 'deep/place.ts'),
    '#!/usr/bin/env node\nexport const beside: string = new URL("x", import.meta.url).href;',
  );
  const said = await saidOf(
    'import { beside } from "./deep/place.ts"; throw new Error([beside, import.meta.filename, import.meta.dirname].join(" "));',
  );
  const here = realpathSync(folder);
  expect(said).toContain(`${pathToFileURL(join(here, 'deep/x')).href} ${join(here, 'odd.ts')} ${here}`);
});

function freshFolder(): string {
  const fresh = mkdtempSync(join(tmpdir(), 'culprit-'));
  onTestFinished(() => rmSync(fresh, { recursive: true }));
  return fresh;
}

const allIn = (path: string): string[] => (readdirSync(path, { recursive: true }) as string[]).sort();

const WITH_PACKAGES = `
  import { behavior, defineSystem } from 'culprit';
  import { name } from 'friend';
  import { self } from 'me/self';
  export default defineSystem({ name: name + self, processes: { a: behavior({ start: () => ({}), receive() {} }) } });`;

test.each([
  ['among the packages', true],
  ['in the temporary folder, where nothing can be written there', false],
])('a compiled module lies %s, and finds its packages and itself', async (_where, isWritable) => {
  const fresh = freshFolder();
  mkdirSync(join(fresh, 'node_modules/friend'), { recursive: true });
  writeFileSync(join(fresh, 'node_modules/friend/index.mjs'), `export const name = 'friend of ';`);
  writeFileSync(join(fresh, 'node_modules/friend/package.json'), '{ "exports": "./index.mjs" }');
  if (!isWritable) writeFileSync(join(fresh, 'node_modules/.cache'), '');
  mkdirSync(join(fresh, 'app'));
  writeFileSync(
    join(fresh, 'app/package.json'),
    '{ "name": "me", "type": "module", "exports": { "./self": "./self.js" } }',
  );
  writeFileSync(join(fresh, 'app/self.js'), `export const self = 'me';`);
  writeFileSync(join(fresh, 'app/x.system.ts'), WITH_PACKAGES);
  const before = allIn(join(fresh, 'app'));
  const { system, code } = await loadSystem(join(fresh, 'app/x.system.ts'));
  expect(system.define({}).name).toBe('friend of me');
  expect(code).toMatch(/^[0-9a-f]{64}$/);
  expect(allIn(join(fresh, 'app'))).toEqual(before);
  expect(allIn(join(fresh, 'node_modules')).filter((name) => name.endsWith('.ts.mjs'))).toEqual([]);
});

test('what is no file is no module', async () => {
  const fresh = freshFolder();
  symlinkSync('nowhere', join(fresh, 'link'));
  const shown = relative('', fresh);
  await expect(loadSystem(shown)).rejects.toThrow(`${shown} is a folder, not a module.`);
  await expect(loadSystem(join(shown, 'none'))).rejects.toThrow(`there is no file ${join(shown, 'none')}.`);
  await expect(loadSystem(join(shown, 'link'))).rejects.toThrow('cannot be read: it is a symbolic link to nowhere');
});

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, expect, test } from 'vitest';
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
  ['exports a promise', 'export default Promise.resolve(1);', 'exports no system by default (it exports default).'],
  [
    'exports a revoked Proxy',
    'const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); export default proxy;',
    "exports something by default that throws when it is looked at: TypeError: Cannot perform 'has' on a proxy that has been revoked",
  ],
  [
    'exports a getter that throws',
    'export default { get culprit() { throw new Error("trap"); } };',
    'exports something by default that throws when it is looked at: Error: trap',
  ],
  [
    'removes a method',
    'delete Array.prototype.map; export default 1;',
    'removed Array.prototype.map, which culprit needs as it was.',
  ],
  [
    'removes the iteration of lists, and throws',
    'delete Array.prototype[Symbol.iterator]; throw new Error("x");',
    'removed Array.prototype[Symbol.iterator], which culprit needs as it was.',
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
  expect(said).toBe('odd.ts does not finish loading: it still awaits something after … ms.');
});

import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { culprit, folderWith } from './culprit.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A folder that has a package.json like this, and culprit installed. */
function packageWith(manifest: object): string {
  const folder = folderWith({ 'package.json': JSON.stringify(manifest) });
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(root, join(folder, 'node_modules', 'culprit'));
  return folder;
}

const filesIn = (folder: string): string[] => readdirSync(folder).filter((name) => name.startsWith('payment.'));

describe('culprit init', () => {
  test.each(['vitest', 'jest', 'node-test'])('writes the example for %s', (runner) => {
    const example = join(root, 'examples', runner);
    const folder = folderWith();
    cpSync(join(example, 'package.json'), join(folder, 'package.json'));
    expect(culprit(folder, 'init')).toMatchObject({ code: 0, err: '' });
    expect(filesIn(folder)).toEqual(filesIn(example));
    for (const name of filesIn(example))
      expect(readFileSync(join(folder, name), 'utf8')).toBe(readFileSync(join(example, name), 'utf8'));
  });

  test('says what it wrote and which command is next', () => {
    expect(culprit(packageWith({}), 'init').out).toMatchInlineSnapshot(`
      "wrote     payment.system.mjs  a shop, a bank, and a lossy network between them
      wrote     payment.test.mjs    a test that hunts in it, for node:test

      next      node --test payment.test.mjs
                npx culprit hunt payment.system.mjs

                They find nothing until you remove the line marked "Try it" from payment.system.mjs.
                Findings are saved in .culprit/. Commit that folder: tests replay its traces first.
      "
    `);
  });

  test('names other missing packages', () => {
    const { out } = culprit(folderWith(), 'init', '--runner', 'jest');
    expect(out).toContain('next      npm install --save-dev culprit jest\n');
  });

  test('says why it writes no TypeScript if the package suggests it', () => {
    const { out } = culprit(packageWith({ devDependencies: { jest: '30', typescript: '7' } }), 'init');
    expect(out).toContain(
      '          The files are JavaScript with JSDoc types: Jest needs a transformer for TypeScript.\n',
    );
  });

  test('creates the folder, and prints commands that work from the current one', () => {
    const folder = packageWith({ type: 'module' });
    mkdirSync(join(folder, 'src'));
    const { out } = culprit(join(folder, 'src'), 'init', 'my bank');
    expect(out).toContain("next      node --test 'my bank/payment.test.js'\n");
    expect(filesIn(join(folder, 'src', 'my bank'))).toEqual(['payment.system.js', 'payment.test.js']);
  });

  test('suggests creating a package first', () => {
    const folder = packageWith({ type: 'module' });
    mkdirSync(join(folder, 'elsewhere'));
    writeFileSync(join(folder, 'elsewhere', 'package.json'), '{ "type": "module" }');
    mkdirSync(join(folder, 'here'));
    const { out } = culprit(join(folder, 'here'), 'init', '../elsewhere/src');
    expect(out).toContain('next      cd ../elsewhere\n          node --test src/payment.test.js\n');
  });

  test('never overwrites a file, and then writes nothing at all', () => {
    const folder = packageWith({ type: 'module' });
    writeFileSync(join(folder, 'payment.test.js'), 'precious');
    expect(culprit(folder, 'init')).toEqual({
      code: 2,
      out: '',
      err: 'error     payment.test.js exists already; nothing was written.\nnext      Choose another folder: culprit init payment\n',
    });
    expect(filesIn(folder)).toEqual(['payment.test.js']);
    expect(readFileSync(join(folder, 'payment.test.js'), 'utf8')).toBe('precious');
  });

  test('leaves no file behind if the other cannot be written', () => {
    const folder = packageWith({ type: 'module' });
    // The file does not exist, and yet the name is taken.
    symlinkSync('nowhere', join(folder, 'payment.test.js'));
    const { code, err } = culprit(folder, 'init');
    expect({ code, err }).toEqual({
      code: 2,
      err: expect.stringContaining(
        'payment.test.js cannot be written: it is a symbolic link to nowhere, which does not exist.',
      ) as unknown,
    });
    expect(filesIn(folder)).toEqual(['payment.test.js']);
  });
});

describe('culprit init, given', () => {
  test.each([
    ['a damaged package.json', '{ "name": ', ['init'], 'package.json cannot be parsed: '],
    [
      'a package.json with a field that is none',
      '{ "scripts": { "test": 3 } }',
      ['init'],
      'package.json cannot be parsed: scripts.test: ',
    ],
    ['a package.json that is no object', '"shop"', ['init'], 'package.json cannot be parsed: '],
    [
      'a file for a folder',
      '{}',
      ['init', 'lock.system.ts'],
      'cannot be written: lock.system.ts is a file, not a folder.',
    ],
    [
      'a folder that cannot be made',
      '{}',
      ['init', 'lock.system.ts/deep'],
      'cannot be written: lock.system.ts is a file, not a folder.',
    ],
    ['an unknown runner', '{}', ['init', '--runner', 'mocha'], 'Allowed choices are vitest, jest, node.'],
    ['too much', '{}', ['init', 'a', 'b'], 'too many arguments'],
  ])('%s, reports it and exits with 2', (_what, manifest, args, problem) => {
    const folder = folderWith({ 'package.json': manifest });
    const { code, out, err } = culprit(folder, ...args);
    expect({ code, out, err }).toEqual({ code: 2, out: '', err: expect.stringContaining(problem) as unknown });
    expect(filesIn(folder)).toEqual([]);
  });

  test('no package, says how to create one', () => {
    expect(culprit('/', 'init')).toEqual({
      code: 2,
      out: '',
      err: 'error     there is no package.json in this folder or above it.\nnext      Make a package first: npm init -y && npm install --save-dev culprit\n',
    });
  });
});

describe('culprit init --network', () => {
  test('writes the network of the guide', () => {
    const folder = packageWith({ type: 'module' });
    expect(culprit(folder, 'init', '--network')).toEqual({
      code: 0,
      out: 'wrote     network.system.js  two switches and the controller of Open vSwitch\n\nnext      npx culprit hunt network.system.js\n',
      err: '',
    });
    const guide = readFileSync(join(root, 'docs/guide/controllers.md'), 'utf8');
    const [, documented] = /^```js network\.system\.js\n([\s\S]*?)^```/m.exec(guide) ?? [];
    expect(readFileSync(join(folder, 'network.system.js'), 'utf8')).toBe(documented);
  });

  test('takes the command of another controller', () => {
    const folder = packageWith({ type: 'module' });
    writeFileSync(join(folder, 'app.py'), '');
    const { out } = culprit(folder, 'init', 'net', '--network', '--', 'python3', './app.py', '$port');
    expect(out).toContain('two switches and the controller python3');
    expect(readFileSync(join(folder, 'net/network.system.js'), 'utf8')).toContain(
      "controllers: { c1: controller(['python3', file('../app.py'), '$port']) },",
    );
  });
});

describe('culprit init --maelstrom', () => {
  const program = readFileSync(join(root, 'cases/maelstrom/programs/broadcast.mjs'), 'utf8');

  /** A package with a node for broadcast. */
  function packageWithNode(): string {
    const folder = packageWith({ type: 'module' });
    writeFileSync(join(folder, 'node.mjs'), program);
    return folder;
  }

  test('writes a system that hunts', () => {
    const folder = packageWithNode();
    expect(culprit(folder, 'init', '--maelstrom', 'broadcast', '--', 'node', 'node.mjs')).toEqual({
      code: 0,
      out: 'wrote     broadcast.system.js  three nodes, two clients, and the workload broadcast\n\nnext      npx culprit hunt broadcast.system.js\n',
      err: '',
    });
    const text = readFileSync(join(folder, 'broadcast.system.js'), 'utf8');
    expect(text).toContain("node: () => command(['node', file('node.mjs')], { connect: stdio(maelstromLines()) }),");
    const { code, out, err } = culprit(folder, 'hunt', 'broadcast.system.js', '--executions', '1');
    expect({ code, out, err }).toEqual({
      code: 0,
      out: expect.stringContaining('found in 1 execution') as unknown,
      err: '',
    });
  });

  test('names files by their place beside the system, and other words as they are', () => {
    const folder = packageWithNode();
    culprit(folder, 'init', 'tests', '--maelstrom', 'g-set', '--', './node.mjs', '--name', "it's");
    expect(readFileSync(join(folder, 'tests/g-set.system.js'), 'utf8')).toContain(
      "command([file('../node.mjs'), '--name', 'it\\'s'], {",
    );
    culprit(folder, 'init', '--maelstrom', 'echo', '--', 'my-node');
    expect(readFileSync(join(folder, 'echo.system.js'), 'utf8')).not.toContain('fileURLToPath');
  });

  test.each([
    [['--maelstrom', 'echo'], 'the command that starts a node is missing.\nnext      Give it after two dashes: '],
    [['--maelstrom', 'ecko', '--', 'node'], 'Allowed choices are echo, unique-ids, broadcast, '],
    [['a', 'b', '--maelstrom', 'echo', '--', 'node'], 'too many arguments: a b node.'],
    [['--', 'node', 'node.mjs'], 'too many arguments: node node.mjs.'],
  ])('%s is refused, and nothing is written', (args, problem) => {
    const folder = packageWithNode();
    const before = readdirSync(folder);
    const { code, out, err } = culprit(folder, 'init', ...args);
    expect({ code, out, err }).toEqual({ code: 2, out: '', err: expect.stringContaining(problem) as unknown });
    expect(readdirSync(folder)).toEqual(before);
  });
});

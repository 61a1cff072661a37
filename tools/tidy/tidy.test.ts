import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { filesStayShort, importsPointDown, namesSaySomething, onlyExportsReExport } from './rules.ts';
import { pathsStayInside, problemsIn } from './rules.ts';
import { readTree } from './tree.ts';

test('this project is tidy', () => {
  const files = readTree(fileURLToPath(new URL('../..', import.meta.url)));
  expect(files.map(({ path }) => path)).toContain('tools/tidy/rules.ts');
  expect(problemsIn(files)).toEqual([]);
});

test('a problem names the file, the line and the remedy', () => {
  const text = "import { a } from '../error.ts';\n\nimport { b } from '../kernel/world.ts';\n";
  expect(problemsIn([{ path: 'src/trace/causes.ts', text }])).toEqual([
    {
      path: 'src/trace/causes.ts',
      line: 3,
      message:
        'trace imports src/kernel/world.ts (kernel): trace may import only error, text; pass what it needs as an argument',
    },
  ]);
});

test('every rule is checked', () => {
  const planted = [
    { path: 'src/kernel/a.ts', text: "import '../hunt/hunt.ts';" },
    { path: 'src/kernel/b.ts', text: "export { a } from './a.ts';" },
    { path: 'src/kernel/misc.ts', text: '' },
    { path: 'src/kernel/long.ts', text: 'a;\n'.repeat(401) },
    { path: 'notes.md', text: `see ${['..', 'other.md'].join('/')}` },
    { path: 'README.md', text: 'Mend the file.' },
    { path: 'bench/a.ts', text: '// Runs for ever.' },
    { path: 'src/hunt/a.ts', text: 'targetOf(system).open(1);' },
  ];
  expect(problemsIn(planted).map(({ path }) => path)).toEqual(planted.map(({ path }) => path));
});

test('files that import one another in a circle are named, also where only types are imported', () => {
  const file = (name: string, ...imported: readonly string[]) => ({
    path: `src/kernel/${name}.ts`,
    text: imported.map((one) => `import type { X } from './${one}.ts';`).join('\n'),
  });
  const files = [file('a', 'b', 'd'), file('b', 'c'), file('c', 'a'), file('d', 'e'), file('e')];
  expect(problemsIn(files)).toEqual([
    {
      path: 'src/kernel/a.ts',
      line: 1,
      message:
        'imports itself in a circle with src/kernel/b.ts, src/kernel/c.ts: move what they share to a file of its own',
    },
  ]);
  expect(problemsIn(files.filter(({ path }) => path !== 'src/kernel/b.ts'))).toEqual([]);
});

describe('imports point down', () => {
  const allowed = (path: string, specifier: string): boolean =>
    importsPointDown({ path, text: `import { x } from '${specifier}';` }).length === 0;

  test.each([
    ['src/error.ts', './trace/event.ts'],
    ['src/trace/event.ts', '../kernel/world.ts'],
    ['src/trace/event.ts', '../hunt/hunt.ts'],
    ['src/kernel/world.ts', '../oracles/invariants.ts'],
    ['src/kernel/world.ts', '../system/workload.ts'],
    ['src/schedule/choosers/random.ts', '../../check/search/dpor.ts'],
    ['src/hosts/target.ts', '../../explain/story.ts'],
    ['src/oracles/invariants.ts', '../cli/main.ts'],
    ['src/oracles/invariants.ts', '../hunt/hunt.ts'],
    ['src/determinism/watch.ts', '../doctor/check.ts'],
    ['src/minimize/pass.ts', '../check/check.ts'],
    ['src/check/check.ts', '../minimize/minimize.ts'],
    ['src/check/check.ts', '../worker.ts'],
    ['src/kernel/world.test.ts', '../schedule/choosers/random.ts'],
    ['src/hunt/hunt.ts', '../../tools/tidy/rules.ts'],
    ['src/hunt/hunt.ts', '../../cases/lock/lock.system.ts'],
    ['src/brand-new/thing.ts', '../trace/event.ts'],
    ['src/brand-new.ts', './trace/event.ts'],
  ])('%s may not import %s', (path, specifier) => {
    expect(allowed(path, specifier)).toBe(false);
  });

  test.each([
    ['src/trace/event.ts', '../error.ts'],
    ['src/trace/format/write.ts', '../event.ts'],
    ['src/kernel/world.ts', '../trace/event.ts'],
    ['src/schedule/choosers/random.ts', '../../kernel/world.ts'],
    ['src/hosts/xstate/session.ts', '../actor/session.ts'],
    ['src/hunt/hunt.ts', '../minimize/minimize.ts'],
    ['src/cli/hunt.ts', '../hunt/hunt.ts'],
    ['src/doctor/check.ts', '../execution/record.ts'],
    ['src/step/track.ts', '../explain/story.ts'],
    ['src/worker.ts', './check/check.ts'],
    ['src/index.ts', './check/check.ts'],
    ['src/kernel/world.test.ts', './world.ts'],
    ['src/kernel/world.test.ts', 'culprit'],
    ['src/trace/event.ts', 'valibot'],
    ['tools/tidy/tidy.test.ts', '../../src/error.ts'],
    ['vitest.config.ts', './tools/summary/reporter.ts'],
  ])('%s may import %s', (path, specifier) => {
    expect(allowed(path, specifier)).toBe(true);
  });

  test('the sources do not import themselves by name', () => {
    expect(allowed('src/hunt/hunt.ts', 'culprit/trace')).toBe(false);
    expect(allowed('src/hunt/hunt.ts', 'culprit-plugin')).toBe(true);
  });

  test.each(['cases/lock/lock.system.ts', 'examples/jest/a.js', 'bench/lock/main.ts', 'test/twins/replay.test.ts'])(
    '%s uses the public exports only',
    (path) => {
      expect(allowed(path, 'culprit')).toBe(true);
      expect(allowed(path, 'culprit/trace')).toBe(true);
      expect(allowed(path, 'culprit/kernel')).toBe(true);
      expect(allowed(path, 'culprit/schema/trace-1.json')).toBe(true);
      expect(allowed(path, './beside.ts')).toBe(true);
      expect(allowed(path, 'culprit/oracle')).toBe(false);
      expect(allowed(path, '../../src/kernel/world.ts')).toBe(false);
      expect(allowed(path, '../../src/index.ts')).toBe(false);
    },
  );

  test('benches and tests may use the cases, which know neither', () => {
    expect(allowed('bench/lock/main.ts', '../../cases/lock/lock.system.ts')).toBe(true);
    expect(allowed('test/hunt.test.ts', '../cases/lock/lock.system.ts')).toBe(true);
    expect(allowed('test/hunt.test.ts', './twins/replay.ts')).toBe(true);
    expect(allowed('cases/lock/lock.system.ts', '../../test/twins/replay.ts')).toBe(false);
    expect(allowed('src/schedule/random.test.ts', '../../test/twins/replay.ts')).toBe(true);
    expect(allowed('src/schedule/random.test.ts', '../../test/found.ts')).toBe(false);
    expect(allowed('src/schedule/choosers/random.ts', '../../test/twins/replay.ts')).toBe(false);
    expect(allowed('cases/lock/lock.system.ts', '../../bench/lock/main.ts')).toBe(false);
  });

  test('the viewer knows the trace format, and the words of networks', () => {
    expect(allowed('viewer/model/table.ts', '../../src/networks/words/flow-words.ts')).toBe(true);
    expect(allowed('viewer/model/table.ts', '../../src/networks/index.ts')).toBe(false);
    expect(allowed('viewer/diagram.tsx', 'culprit/trace')).toBe(true);
    expect(allowed('viewer/diagram.tsx', './lane.ts')).toBe(true);
    expect(allowed('viewer/diagram.tsx', 'culprit')).toBe(false);
    expect(allowed('viewer/diagram.tsx', 'culprit/kernel')).toBe(false);
    expect(allowed('viewer/diagram.tsx', '../src/trace/event.ts')).toBe(false);
    expect(allowed('viewer/diagram.tsx', 'node:fs')).toBe(false);
    expect(allowed('viewer/diagram.tsx', 'preact/hooks')).toBe(true);
    expect(allowed('viewer/diagram.tsx', 'valibot')).toBe(false);
    expect(allowed('viewer/model/rows.test.ts', 'culprit')).toBe(true);
    expect(allowed('viewer/model/rows.test.ts', 'fast-check')).toBe(true);
    expect(allowed('viewer/model/rows.test.ts', '../../test/twins/rows.ts')).toBe(true);
    expect(allowed('viewer/model/rows.test.ts', '../../src/hunt/hunt.ts')).toBe(false);
  });

  test('traces do no I/O and the kernel next to none', () => {
    expect(allowed('src/trace/write.ts', 'node:fs')).toBe(false);
    expect(allowed('src/trace/write.ts', 'fs/promises')).toBe(false);
    expect(allowed('src/trace/write.ts', 'node:vm')).toBe(false);
    expect(allowed('src/trace/write.test.ts', 'node:fs')).toBe(true);
    expect(allowed('src/kernel/leaks.ts', 'node:vm')).toBe(true);
    expect(allowed('src/kernel/leaks.ts', 'node:fs')).toBe(false);
    expect(allowed('src/kernel/user-code/thread-cpu.ts', 'node:fs')).toBe(true);
    expect(allowed('src/kernel/leaks.ts', 'node:process')).toBe(true);
    expect(allowed('src/kernel/leaks.ts', 'node:fs')).toBe(false);
    expect(allowed('src/cli/main.ts', 'node:fs')).toBe(true);
  });
});

describe('imports are found', () => {
  const lines = (text: string): number[] =>
    importsPointDown({ path: 'src/trace/event.ts', text }).map(({ line }) => line);

  test.each([
    ["import '../hunt.ts';"],
    ["import hunt from '../hunt.ts';"],
    ["import * as all from '../hunt.ts';"],
    ["import hunt, { type Options as O } from '../hunt.ts';"],
    ["import type { Options } from '../hunt.ts';"],
    ["import type from '../hunt.ts';"],
    ["import { from } from '../hunt.ts';"],
    ["import {\n  a,\n  b,\n} from '../hunt.ts';"],
    ["export { hunt } from '../hunt.ts';"],
    ["export type { Options } from '../hunt.ts';"],
    ["export * from '../hunt.ts';"],
    ["export * as all from '../hunt.ts';"],
    ["const hunt = await import('../hunt.ts');"],
    ['const hunt = await import(`../hunt.ts`);'],
    ["let options: import('../hunt.ts').Options;"],
    ["import hunt = require('../hunt.ts');"],
    ["const dot = '.'\nimport { hunt } from '../hunt.ts'"],
    ["/* why */ import /* not */ { hunt } from /* this */ '../hunt.ts';"],
    ["`${`}` + { a: await import('../hunt.ts') }}`;"],
    ["if (/['`]/.test(a / b)) await import('../hunt.ts');"],
    ["const half = a / 2; await import('../hunt.ts'); const third = b / 3;"],
  ])('%s', (text) => {
    expect(lines(text)).toHaveLength(1);
  });

  test.each([
    ["// import { hunt } from '../hunt.ts';"],
    ["/*\n * import { hunt } from '../hunt.ts';\n */"],
    ['const text = "import { hunt } from \'../hunt.ts\'";'],
    ["const text = `import { hunt } from '../hunt.ts'; ${a}`;"],
    ["const text = `${a} import('../hunt.ts')`;"],
    ["const pattern = /import '..\\/hunt.ts'/;"],
    ["const here = import.meta.resolve('../hunt.ts');"],
    ["loader.import('../hunt.ts');"],
    ["const { a } = b; Array.from('../hunt.ts');"],
    ["export const from = '../hunt.ts';"],
    ['await import(userFile);'],
  ])('not in %s', (text) => {
    expect(lines(text)).toEqual([]);
  });

  test('on the line where they start', () => {
    expect(lines("const a = `\n\n`;\nimport {\n  hunt,\n} from '../hunt.ts';\n\nimport '../check.ts';\n")).toEqual([
      4, 8,
    ]);
  });
});

describe('only the public entries re-export', () => {
  const messages = (path: string, text: string): string[] =>
    onlyExportsReExport({ path, text }).map(({ message }) => message);

  test.each(['src/index.ts', 'src/trace/index.ts', 'src/kernel.ts'])('%s, name by name', (path) => {
    expect(messages(path, "export { a } from './a.ts';\nexport type { B } from './b.ts';")).toEqual([]);
    expect(messages(path, "export * from './a.ts';")).toEqual(['export * hides what is exported: list the names']);
    expect(messages(path, "export type * from './a.ts';")).toHaveLength(1);
    expect(messages(path, "export * as a from './a.ts';")).toHaveLength(1);
  });

  test.each([
    ["export { a } from './a.ts';"],
    ["export type { A } from './a.ts';"],
    ["import { a } from './a.ts';\nexport { a };"],
    ["import { a as b } from './a.ts';\nexport { b as c };"],
    ["import type { A } from './a.ts';\nexport { type A };"],
  ])('elsewhere not: %s', (text) => {
    expect(messages('src/oracle/index.ts', text)).toHaveLength(1);
  });

  test.each([
    ["import { a } from './a.ts';\nconst b = a;\nexport { b };"],
    ["import { a } from './a.ts';\nexport const c = a;"],
    ["// export { a } from './a.ts';"],
    ["export {};\nconst text = from('./a.ts');"],
  ])('own names are no re-export: %s', (text) => {
    expect(messages('src/oracle/index.ts', text)).toEqual([]);
  });
});

describe('names are specific', () => {
  test.each(['src/utils.ts', 'src/kernel/util/a.ts', 'src/helpers.test.ts', 'test/helper/a.ts', 'docs/Common.md'])(
    '%s does not',
    (path) => {
      expect(namesSaySomething({ path, text: '' })).toHaveLength(1);
    },
  );

  test.each(['src/misc/a.ts', 'src/trace.v2.ts', 'src/v2/a.ts'])('%s does not', (path) => {
    expect(namesSaySomething({ path, text: '' })).toHaveLength(1);
  });

  test.each(['src/explain/common-cause.ts', 'cases/utility/a.ts', 'src/trace/v20.ts', 'src/commons.ts'])(
    '%s does',
    (path) => {
      expect(namesSaySomething({ path, text: '' })).toEqual([]);
    },
  );
});

test('code files have at most 400 lines', () => {
  const text = (lines: number): string => 'a;\n'.repeat(lines);
  expect(filesStayShort({ path: 'src/a.ts', text: text(400) })).toEqual([]);
  expect(filesStayShort({ path: 'src/a.ts', text: text(401) })).toHaveLength(1);
  expect(filesStayShort({ path: 'tools/a.mjs', text: text(401) })).toHaveLength(1);
  expect(filesStayShort({ path: 'cases/lock/lock.trace', text: text(401) })).toEqual([]);
});

describe('paths stay inside the project', () => {
  // Written in parts, or this file would break the rule it tests.
  const absolute = (...parts: string[]): string => ['', ...parts].join('/');
  const up = (times: number, rest: string): string => '../'.repeat(times) + rest;
  const lines = (path: string, text: string): number[] => pathsStayInside({ path, text }).map(({ line }) => line);

  test.each([
    `see ${absolute('home', 'me', 'notes.md')}`,
    `"${absolute('work')}"`,
    `(${absolute('tmp', 'a.trace')})`,
    `open file://${absolute('Users', 'me', 'a.html')}`,
    `root=${absolute('root', 'a')}`,
  ])('%s is outside', (text) => {
    expect(lines('README.md', `first\n${text}\n`)).toEqual([2]);
  });

  test.each([
    '#!/usr/bin/env node',
    'https://example.org/home/page',
    `src${absolute('work', 'a.ts')}`,
    `\${folder}${absolute('tmp', 'a')}`,
    `a ${absolute('workers')} route`,
    `.${absolute('home', 'a.ts')}`,
  ])('%s is not', (text) => {
    expect(lines('README.md', text)).toEqual([]);
  });

  test('a relative path may climb to the root and no further', () => {
    expect(lines('README.md', `see ${up(1, 'other')}`)).toEqual([1]);
    expect(lines('src/kernel/world.ts', `'${up(3, 'other.ts')}'`)).toEqual([1]);
    expect(lines('src/kernel/world.ts', `'${up(2, '..')}'`)).toEqual([1]);
    expect(lines('src/kernel/world.ts', `'${up(2, 'package.json')}'`)).toEqual([]);
    expect(lines('src/kernel/world.ts', `'${up(1, '..')}'`)).toEqual([]);
    expect(lines('README.md', 'f(...a) and 1..2 and wait…')).toEqual([]);
  });
});

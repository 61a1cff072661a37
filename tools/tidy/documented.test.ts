import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { API, SymbolFlags, type Checker, type Project, type Symbol as Named } from 'typescript/unstable/sync';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';

/** What an editor shows over a public name. The compiler is asked, because the entries re-export names of the whole of `src`. */

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The files of the public entries of which every member has a comment, too. */
const forUsers = ['index.ts', 'report.ts', 'hosts/live/index.ts', 'hosts/xstate.ts', 'maelstrom/index.ts'];

/** The others: many of their types are headers of protocols, in which a field is named after what it holds. */
const forAuthors = ['kernel.ts', 'networks/index.ts', 'trace/index.ts'];

/** The names that systems and tests use most: each has an example. */
const withExample =
  'behavior check crash cut defineSystem doctor explainWhy fromClass generate heal hunt linearizable minimize progress recheck replay restart search send start until untilQuiet'.split(
    ' ',
  );

let compiler: API;
let build: Project;

beforeAll(() => {
  compiler = new API({ cwd: root });
  build = opened(join(root, 'tsconfig.build.json'));
});

afterAll(() => compiler.close());

function opened(config: string): Project {
  const project = compiler.updateSnapshot({ openProjects: [config] }).getProject(config);
  if (project === undefined) throw new Error(`the compiler does not know ${config}`);
  return project;
}

/** The exported names of an entry, each with its declaration. */
function exportsOf(entry: string): [name: string, declared: Named][] {
  const { checker, program } = build;
  const file = program.getSourceFile(join(root, 'src', entry));
  const module = file && checker.getSymbolAtLocation(file);
  if (module === undefined) throw new Error(`src/${entry} is no module of the build`);
  return checker
    .getExportsOfModule(module)
    .map((one) => [one.name, one.flags & SymbolFlags.Alias ? checker.getAliasedSymbol(one) : one]);
}

/** The fields and methods that are declared in `src`, without private ones. */
function membersOf(checker: Checker, declared: Named): readonly Named[] {
  if ((declared.flags & (SymbolFlags.Interface | SymbolFlags.Class | SymbolFlags.TypeAlias)) === 0) return [];
  const ours = join(root, 'src').toLowerCase();
  return checker
    .getPropertiesOfType(checker.getDeclaredTypeOfSymbol(declared))
    .filter(({ name, declarations: [first] }) => !name.includes('#') && first?.path.toLowerCase().startsWith(ours));
}

const isBare = (one: Named): boolean => build.checker.getDocumentationCommentOfSymbol(one) === '';

test('every public name has a comment', () => {
  const names = [...forUsers, ...forAuthors].flatMap(exportsOf);
  expect(names.length).toBeGreaterThan(400);
  expect(names.filter(([, declared]) => isBare(declared)).map(([name]) => name)).toEqual([]);
});

test('every member of what users get has a comment', () => {
  const members = forUsers
    .flatMap(exportsOf)
    .flatMap(([type, declared]) =>
      membersOf(build.checker, declared).map((member) => [`${type}.${member.name}`, member] as const),
    );
  expect(members.length).toBeGreaterThan(200);
  expect(members.filter(([, member]) => isBare(member)).map(([name]) => name)).toEqual([]);
});

/** The names that examples use without importing them. */
const prelude = (names: readonly string[]): string => `import fc from 'fast-check';
import { ${names.join(', ')}, type Behavior, type Io, type System } from 'culprit';
import type { Trace } from 'culprit/trace';
declare const system: System;
declare const trace: Trace;
declare const lock: Behavior<{ holder: string | null }, { type: 'acquire' }>;
declare const client: Behavior<{ holds: boolean }, string>;
`;

test('the names that are used most have an example, which compiles', () => {
  const declared = new Map(exportsOf('index.ts'));
  const values = [...declared].filter(([, { flags }]) => flags & SymbolFlags.Value).map(([name]) => name);
  mkdirSync(join(root, '.culprit'), { recursive: true });
  const folder = mkdtempSync(join(root, '.culprit', 'examples-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const files = withExample.map((name) => {
    const tags = build.checker.getJsDocTagsOfSymbol(declared.get(name) as Named);
    const example = tags.find((tag) => tag.name === 'example')?.text;
    expect(example, `the example of ${name}`).toBeTruthy();
    const file = join(folder, `${name}.ts`);
    writeFileSync(file, `${prelude(values)}{\n${example}\n}\n`);
    return file;
  });
  const compilerOptions = { noEmit: true, noUnusedLocals: false, customConditions: ['culprit-source'] };
  const config = join(folder, 'tsconfig.json');
  writeFileSync(config, JSON.stringify({ extends: '../../tsconfig.base.json', compilerOptions, include: ['*.ts'] }));
  const { program } = opened(config);
  const problems = files.flatMap((file) => [
    ...program.getSyntacticDiagnostics(file),
    ...program.getSemanticDiagnostics(file),
  ]);
  expect(problems.map(({ fileName, text }) => `${fileName}: ${text}`)).toEqual([]);
});

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SyntaxKind, type ClassDeclaration, type PropertyDeclaration } from 'typescript/unstable/ast';
import { API, SymbolFlags, type Project, type Symbol as Named, type Type } from 'typescript/unstable/sync';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';

/** What an editor shows over a public name. The compiler is asked, because the entries re-export names of the whole of `src`. */

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The files of the public entries. */
const entries = [
  'index.ts',
  'report.ts',
  'hosts/live/index.ts',
  'hosts/xstate.ts',
  'maelstrom/index.ts',
  'kernel.ts',
  'networks/index.ts',
  'trace/index.ts',
];

/** Members that have no comment yet. The list may only get shorter. */
const stillBare = [
  'MinimizeOptions.handlerMs',
  'Reproduction.replays',
  ...['schedules', 'seconds', 'stages'].map((name) => `Minimized.${name}`),
  ...['initialEvents', 'schedulesMax', 'secondsMax'].map((name) => `MinimizeProgress.${name}`),
  ...['events', 'externals', 'pass', 'schedules', 'seconds'].flatMap((name) => [
    `MinimizeProgress.${name}`,
    `Stage.${name}`,
  ]),
];

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

/** The fields and methods of a type that are declared in `src`. */
function membersOf(declared: Named): readonly Named[] {
  if ((declared.flags & (SymbolFlags.Interface | SymbolFlags.Class | SymbolFlags.TypeAlias)) === 0) return [];
  const ours = join(root, 'src').toLowerCase();
  return build.checker
    .getPropertiesOfType(build.checker.getDeclaredTypeOfSymbol(declared))
    .filter(({ declarations: [first] }) => first?.path.toLowerCase().startsWith(ours) === true);
}

/** The members of a type for which an editor shows no comment, though they need one. */
function bareMembersOf(declared: Named): readonly Named[] {
  const bare = membersOf(declared).filter((one) => isBare(one) && !isPrivate(one) && !isVariant(one));
  const inherited = bare.length === 0 ? [] : inheritedBy(declared).filter((one) => !isBare(one));
  return bare.filter(({ name }) => !inherited.some((one) => one.name === name));
}

/** The members of what a class extends and implements: an editor shows their comments for members of the class that have none. */
const inheritedBy = ({ flags, declarations }: Named): readonly Named[] =>
  (flags & SymbolFlags.Class) === 0
    ? []
    : declarations
        .flatMap((handle) => [...((handle.resolve() as ClassDeclaration).heritageClauses ?? [])])
        .flatMap(({ types }) => [...types])
        .flatMap((type) => build.checker.getPropertiesOfType(build.checker.getTypeAtLocation(type) as Type));

const isPrivate = ({ name, declarations: [first] }: Named): boolean =>
  name.includes('#') ||
  ((first?.resolve() as PropertyDeclaration | undefined)?.modifiers ?? []).some(
    ({ kind }) => kind === SyntaxKind.PrivateKeyword,
  );

/** Whether the member tells the variants of a type apart: its values are words, and these are its documentation. */
function isVariant(member: Named): boolean {
  const type = build.checker.getTypeOfSymbol(member);
  if (type?.isStringLiteralType() === true) return true;
  const values = member.declarations.length > 1 && type?.isUnionType() === true ? type.getTypes() : [];
  return values.length > 0 && values.every((one) => one.isStringLiteralType());
}

const isBare = (one: Named): boolean => build.checker.getDocumentationCommentOfSymbol(one) === '';

test('every public name has a comment', () => {
  const names = entries.flatMap(exportsOf);
  expect(names.length).toBeGreaterThan(400);
  expect(names.filter(([, declared]) => isBare(declared)).map(([name]) => name)).toEqual([]);
});

test('every public member has a comment', () => {
  const types = [...new Map(entries.flatMap(exportsOf))];
  expect(types.flatMap(([, declared]) => membersOf(declared)).length).toBeGreaterThan(1_000);
  const bare = types.flatMap(([type, declared]) => bareMembersOf(declared).map(({ name }) => `${type}.${name}`));
  expect(bare.sort()).toEqual(stillBare.sort());
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

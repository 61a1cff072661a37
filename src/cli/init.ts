import { existsSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { Command, Option } from 'commander';
import { CulpritError } from '../error.ts';
import { removeFile, replaceFile } from '../files/access.ts';
import { foldersAbove } from '../files/module-path.ts';
import { shellWord } from '../text/shell-word.ts';
import { shownPath } from '../text/shown-path.ts';
import { packageAround } from './manifest.ts';
import { printLines } from './output/lines.ts';
import { maelstromStarter, maelstromWorkloads } from './maelstrom-starter.ts';
import { networkStarter } from './network-starter.ts';
import { runners, starterFor, type Runner, type Starter, type StarterFile } from './starter.ts';

/** The files exist already and are not overwritten. */
class AlreadyThere extends CulpritError {
  readonly code = 'ALREADY_THERE';

  constructor(paths: readonly string[]) {
    super(
      `${paths.map(shownPath).join(' and ')} ${paths.length === 1 ? 'exists' : 'exist'} already; nothing was written.`,
      'Choose another folder: culprit init payment',
    );
  }
}

/** More arguments than a folder, and nothing that they could mean. */
class TooMany extends CulpritError {
  readonly code = 'TOO_MANY';

  constructor(args: readonly string[]) {
    super(
      `too many arguments: ${args.map(shellWord).join(' ')}.`,
      'Give one folder, and a command only with --maelstrom or --network: culprit init --maelstrom echo -- python3 node.py',
    );
  }
}

export const initCommand = (): Command =>
  new Command('init')
    .description('write a small example system and a test that hunts in it')
    .argument('[folder]', 'target folder', '.')
    .argument('[command...]', 'after --: the command that starts a node or a controller')
    .addOption(
      new Option('--maelstrom <workload>', "write a system of nodes that speak Maelstrom's protocol").choices(
        maelstromWorkloads,
      ),
    )
    .option('--network', 'write a network of switches and its controller, a program that speaks OpenFlow 1.0', false)
    .addOption(new Option('--runner <name>', 'test runner; default: the one in package.json, or node').choices(runners))
    .addHelpText(
      'after',
      '\nExamples:\n  culprit init\n  culprit init src/payment --runner node\n  culprit init --maelstrom broadcast -- python3 node.py\n  culprit init --network',
    )
    .action(run);

interface InitOptions {
  readonly runner?: Runner;
  readonly maelstrom?: string;
  readonly network: boolean;
}

function run(_folder: string, _words: readonly string[], options: InitOptions, command: Command): void {
  const { runner, maelstrom, network } = options;
  const [folders, words] = aroundDashes(command.args);
  const takesCommand = maelstrom !== undefined || network;
  if (folders.length > 1 || (!takesCommand && words.length > 0)) throw new TooMany(command.args);
  const folder = resolve(folders[0] ?? '.');
  if (maelstrom !== undefined) {
    const file = maelstromStarter(packageAround(folder), folder, maelstrom, words);
    return writeSystem(folder, file, `three nodes, two clients, and the workload ${maelstrom}`);
  }
  if (network) {
    const file = networkStarter(packageAround(folder), folder, words);
    return writeSystem(folder, file, `two switches and the controller ${words[0] ?? 'of Open vSwitch'}`);
  }
  const owner = packageAround(folder);
  const nodeRunsTypeScript = Boolean((process.features as { typescript?: unknown }).typescript);
  const starter = starterFor(owner, runner, nodeRunsTypeScript);
  write(folder, [starter.system, starter.test]);
  printLines(report(starter, folder, owner.folder));
}

/** The arguments before the two dashes, and those after them: the parser does not tell them apart. */
function aroundDashes(args: readonly string[]): [before: readonly string[], after: readonly string[]] {
  const dashes = process.argv.indexOf('--');
  const before = dashes < 0 ? args.length : args.length - (process.argv.length - dashes - 1);
  return [args.slice(0, before), args.slice(before)];
}

/** Writes a system without a test. */
function writeSystem(folder: string, file: StarterFile, contents: string): void {
  write(folder, [file]);
  const path = shownPath(join(folder, file.name));
  printLines([`wrote     ${path}  ${contents}`, '', `next      npx culprit hunt ${shellWord(path)}`]);
}

/** Writes all of the files, or none. */
function write(folder: string, files: readonly Starter['system'][]): void {
  const paths = files.map(({ name }) => join(folder, name));
  const taken = paths.filter((path) => existsSync(path));
  if (taken.length > 0) throw new AlreadyThere(taken);
  const written: string[] = [];
  try {
    for (const { name, text } of files) {
      replaceFile(join(folder, name), Buffer.from(text), 'Choose a writable folder: culprit init payment');
      written.push(join(folder, name));
    }
  } catch (error) {
    for (const path of written) removeFile(path, 'Remove it yourself.');
    throw error;
  }
}

function report(starter: Starter, folder: string, root: string): string[] {
  const { runner, system, test, whyJavaScript } = starter;
  const shown = (name: string): string => shownPath(join(folder, name));
  const [first = '', ...more] = commands(starter, folder, root);
  const indent = ' '.repeat(10);
  return [
    `wrote     ${shown(system.name)}  a shop, a bank, and a lossy network between them`,
    `wrote     ${shown(test.name).padEnd(shown(system.name).length)}  a test that hunts in it, for ${nameOf[runner]}`,
    ...(whyJavaScript === undefined ? [] : [`${indent}The files are JavaScript with JSDoc types: ${whyJavaScript}.`]),
    '',
    `next      ${first}`,
    ...more.map((command) => `${indent}${command}`),
    '',
    `${indent}They find nothing until you remove the line marked "Try it" from ${system.name}.`,
    `${indent}Findings are saved in .culprit/. Commit that folder: tests replay its traces first.`,
    ...(runner === 'jest' ? [`${indent}Jest runs ES modules only with that flag: add it to your test script.`] : []),
  ];
}

const nameOf = { vitest: 'Vitest', jest: 'Jest', node: 'node:test' } as const;

/** The commands to type in the current folder: install missing packages, run the test, then hunt without it. */
function commands({ runner, system, test }: Starter, folder: string, root: string): string[] {
  const isInside = !relative(root, '').startsWith('..');
  const base = isInside ? '' : root;
  const path = (name: string): string => shellWord(relative(base, join(folder, name)).split(sep).join('/'));
  const wanted = runner === 'node' ? ['culprit'] : ['culprit', runner];
  const missing = wanted.filter((name) => !isInstalled(name, folder));
  return [
    ...(isInside ? [] : [`cd ${shellWord(relative('', root))}`]),
    ...(missing.length === 0 ? [] : [`npm install --save-dev ${missing.join(' ')}`]),
    `${runs[runner]} ${path(test.name)}`,
    `npx culprit hunt ${path(system.name)}`,
  ];
}

const runs = {
  vitest: 'npx vitest run',
  // By path: before version 30, Jest does not look for tests in .mjs files.
  jest: 'npx --node-options=--experimental-vm-modules jest --runTestsByPath',
  node: 'node --test',
} as const;

const isInstalled = (name: string, folder: string): boolean =>
  [...foldersAbove(folder)].some((at) => existsSync(join(at, 'node_modules', name)));

import { existsSync, statSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';
import { CulpritError } from '../error.ts';
import { workloadNames } from '../maelstrom/workloads/workloads.ts';
import type { Package } from './manifest.ts';
import { systemExtension, type StarterFile } from './starter.ts';

export const maelstromWorkloads: readonly string[] = workloadNames;

/** The command of a node is missing. */
class NoCommand extends CulpritError {
  readonly code = 'NO_COMMAND';

  constructor(workload: string) {
    super(
      'the command that starts a node is missing.',
      `Give it after two dashes: culprit init --maelstrom ${workload} -- python3 node.py`,
    );
  }
}

/** The file of a system whose nodes are this program, for a workload of Maelstrom. */
export function maelstromStarter(
  owner: Package,
  folder: string,
  workload: string,
  words: readonly string[],
): StarterFile {
  if (words.length === 0) throw new NoCommand(workload);
  const extension = systemExtension(owner);
  const shown = words.map((word) => wordIn(folder, word));
  return { name: `${workload}.system.${extension}`, text: textOf(workload, shown, extension.endsWith('ts')) };
}

/** A word of the command, as code: a node starts in a folder of its own, so a file is named by its place beside the system. */
function wordIn(folder: string, word: string): string {
  if (!isFile(word)) return quoted(word);
  const path = relative(folder, resolve(word)).split(sep).join('/');
  return `file(${quoted(path)})`;
}

/** A program such as `node` is found on the PATH, even if a file of that name lies here. */
const isFile = (word: string): boolean =>
  (word.includes('/') || word.includes('.')) && existsSync(word) && statSync(word).isFile();

const quoted = (text: string): string =>
  `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`;

/** Crashes are left to the user: many nodes keep nothing on their disk, and must not crash. */
const textOf = (workload: string, words: readonly string[], isTyped: boolean): string => {
  const usesFiles = words.some((word) => word.startsWith('file('));
  return `${usesFiles ? "import { fileURLToPath } from 'node:url';\n" : ''}import { defineSystem } from 'culprit';
import { command, stdio } from 'culprit/live';
import { maelstrom, maelstromLines } from 'culprit/maelstrom';
${usesFiles ? `\nconst file = (path${isTyped ? ': string' : ''}) => fileURLToPath(new URL(path, import.meta.url));\n` : ''}
export default defineSystem({
  ...maelstrom({
    workload: '${workload}',
    node: () => command([${words.join(', ')}], { connect: stdio(maelstromLines()) }),
    nodes: 3,
    clients: 2,
    operations: 20,
    // Nodes that keep their state on a disk may crash, too: add crashes: 1.
    faults: { partitions: 1 },
  }),
});
`;
};

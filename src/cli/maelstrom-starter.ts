import { CulpritError } from '../error.ts';
import { workloadNames } from '../maelstrom/workloads/workloads.ts';
import type { Package } from './manifest.ts';
import { commandCode, type CommandCode } from './starter-command.ts';
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
  const command = commandCode(folder, words, extension.endsWith('ts'));
  return { name: `${workload}.system.${extension}`, text: textOf(workload, command) };
}

/** Crashes are left to the user: many nodes keep nothing on their disk, and must not crash. */
const textOf = (
  workload: string,
  { words, imports, helper }: CommandCode,
): string => `${imports}import { defineSystem } from 'culprit';
import { command, stdio } from 'culprit/live';
import { maelstrom, maelstromLines } from 'culprit/maelstrom';
${helper}
export default defineSystem({
  ...maelstrom({
    workload: '${workload}',
    node: () => command(${words}, { connect: stdio(maelstromLines()) }),
    nodes: 3,
    clients: 2,
    operations: 20,
    // Nodes that keep their state on a disk may crash, too: add crashes: 1.
    faults: { partitions: 1 },
  }),
});
`;

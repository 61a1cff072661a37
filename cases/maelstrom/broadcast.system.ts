import { fileURLToPath } from 'node:url';
import { defineSystem } from 'culprit';
import { command, stdio } from 'culprit/live';
import { maelstrom, maelstromLines } from 'culprit/maelstrom';

const program = (name: string): string => fileURLToPath(new URL(`programs/${name}`, import.meta.url));

/** Nodes in Python or in JavaScript that pass messages on. With `bug`, they send each message once and never again. */
export default defineSystem(
  { bug: false, python: true, operations: 6, partitions: 1 },
  ({ bug, python, operations, partitions }) =>
    defineSystem({
      name: 'maelstrom/broadcast',
      ...maelstrom({
        workload: 'broadcast',
        node: () =>
          command(python ? ['python3', program('broadcast.py')] : ['node', program('broadcast.mjs')], {
            connect: stdio(maelstromLines()),
            env: bug ? { FORGETFUL: '1' } : {},
          }),
        operations,
        services: [],
        faults: { partitions },
      }),
    }),
);

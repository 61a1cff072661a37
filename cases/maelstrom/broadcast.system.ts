import { defineSystem } from 'culprit';
import { maelstrom } from 'culprit/maelstrom';
import { programOf } from './program-of.ts';

/** Nodes in Python or in JavaScript that pass messages on. With `bug`, they send each message once and never again. */
export default defineSystem(
  { bug: false, python: true, operations: 6, partitions: 1 },
  ({ bug, python, operations, partitions }) =>
    defineSystem({
      name: 'maelstrom/broadcast',
      ...maelstrom({
        workload: 'broadcast',
        node: programOf(
          python ? ['python3', 'broadcast.py'] : ['node', 'broadcast.mjs'],
          bug ? { FORGETFUL: '1' } : {},
        ),
        operations,
        services: [],
        faults: { partitions },
        // The programs send again after 200 ms.
        settle: { rounds: 8, everyMs: 150 },
      }),
    }),
);

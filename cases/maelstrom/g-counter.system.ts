import { defineSystem } from 'culprit';
import { maelstrom } from 'culprit/maelstrom';
import { programOf } from './program-of.ts';

/** Nodes in JavaScript that count in seq-kv. With `bug`, a node forgets on a restart what it has counted before. */
export default defineSystem({ bug: false, operations: 10, crashes: 2 }, ({ bug, operations, crashes }) =>
  defineSystem({
    name: 'maelstrom/g-counter',
    ...maelstrom({
      workload: 'g-counter',
      node: programOf(['node', 'g-counter.mjs'], bug ? { FORGETFUL: '1' } : {}),
      nodes: 2,
      operations,
      services: ['seq-kv'],
      faults: { crashes },
      timeoutMs: 1_000,
      settle: { rounds: 8, everyMs: 150 },
    }),
  }),
);

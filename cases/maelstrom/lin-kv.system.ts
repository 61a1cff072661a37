import { defineSystem } from 'culprit';
import { maelstrom } from 'culprit/maelstrom';
import { programOf } from './program-of.ts';

/** Nodes in Python that elect a leader. With `bug`, a leader answers reads without asking whether it still leads. */
export default defineSystem({ bug: false, operations: 16, partitions: 2 }, ({ bug, operations, partitions }) =>
  defineSystem({
    name: 'maelstrom/lin-kv',
    ...maelstrom({
      workload: 'lin-kv',
      node: programOf(['python3', 'lin_kv.py'], bug ? { STALE_READS: '1' } : {}),
      operations,
      keys: 1,
      services: [],
      faults: { partitions },
    }),
  }),
);

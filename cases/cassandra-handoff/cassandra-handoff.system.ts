import { defineSystem } from 'culprit';
import { bugCalled } from './bugs.ts';
import { clientWriting } from './client.ts';
import { nodeWith } from './handlers.ts';
import { readsNewest } from './invariants.ts';
import { rulesFor } from './rules.ts';

/** Cassandra's reads, writes and hinted handoff, as far as one of its bugs needs them. README.md says what it is. */
export default defineSystem(
  { bug: 'none', replicas: 3, crashes: 1, restarts: 1 },
  ({ bug: name, replicas, crashes, restarts }) => {
    const columns = ['c1', 'c2'];
    const names = Array.from({ length: replicas }, (_, at) => `node-${at + 1}`);
    const client = clientWriting(columns);
    const node = nodeWith(bugCalled(name), columns);
    return defineSystem({
      processes: { client, ...Object.fromEntries(names.map((each) => [each, node])) },
      transport: { toAbsent: 'return' },
      faults: { crashes, restarts },
      invariants: { readsNewest: (world) => readsNewest(world.process('client')) },
      sometimes: {
        keepsHint: (world) => world.up(node).some(({ state }) => Object.keys(state.hints).length > 0),
        handsOff: ({ last }) => last?.kind === 'fire',
        answersRead: (world) => world.up(client).some(({ state }) => state.result !== null),
      },
      reduce: rulesFor(names),
    });
  },
);

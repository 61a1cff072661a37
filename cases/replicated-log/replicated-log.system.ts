import { defineSystem, fromClass, send } from 'culprit';
import { ReplicatedLog, type Message } from './replicated-log.ts';

export default defineSystem({ countsNodes: false, nodes: 5, appends: 2, retries: 3 }, (options) => {
  const node = fromClass(ReplicatedLog, {
    create: (io) => new ReplicatedLog(io, options),
    receive: (log, message: Message, from) => log.onMessage(from, message),
    view: (log) => ({ entries: [...log.entries], committed: log.committed }),
  });
  const upTo = (count: number): number[] => Array.from({ length: count }, (_, at) => at + 1);

  return defineSystem({
    processes: Object.fromEntries(upTo(options.nodes).map((number) => [`n${number}`, node])),
    workload: upTo(options.appends).map((number) => send('n1', { type: 'append', value: `v${number}` })),
    invariants: {
      committedIsStored(world) {
        const nodes = world.up(node);
        for (const { name, state } of nodes) {
          for (const entry of state.entries.slice(0, state.committed)) {
            const copies = nodes.filter((other) => other.state.entries.includes(entry)).length;
            if (copies * 2 <= options.nodes)
              return `${name} has committed ${entry}, which ${copies} of ${options.nodes} nodes store`;
          }
        }
        return true;
      },
    },
  });
});

import { behavior, defineSystem, send } from 'culprit';
import type { Message } from '../../cases/replicated-log/replicated-log.ts';

interface Waiting {
  readonly value: string;
  answers: string[];
  left: number;
}

/** The replicated log of cases/replicated-log as a behavior: the same messages, timers and events, with a state of plain data. */
export const replicatedLogActor = defineSystem(
  { countsNodes: false, nodes: 5, appends: 2, retries: 3 },
  ({ countsNodes, nodes, appends, retries }) => {
    const node = behavior({
      start: () => ({ entries: [] as string[], committed: 0, waiting: new Map<number, Waiting>() }),
      receive(state, message: Message, ctx) {
        const { entries, waiting } = state;
        if (message.type === 'append') {
          const index = entries.push(message.value) - 1;
          waiting.set(index, { value: message.value, answers: [ctx.self], left: retries });
          offer(state.waiting, index, ctx);
        } else if (message.type === 'replicate') {
          entries[message.index] = message.value;
          ctx.send(ctx.from, { type: 'stored', index: message.index });
        } else {
          const entry = waiting.get(message.index);
          if (entry === undefined) return;
          entry.answers.push(ctx.from);
          const copies = countsNodes ? new Set(entry.answers).size : entry.answers.length;
          if (copies * 2 <= ctx.peers.length + 1) return;
          ctx.cancelTimer(timerOf(message.index));
          waiting.delete(message.index);
          state.committed = Math.max(state.committed, message.index + 1);
        }
      },
      timer: ({ waiting }, timer, ctx) => offer(waiting, Number(timer.slice('retry '.length)), ctx),
    });
    const upTo = (count: number): number[] => Array.from({ length: count }, (_, at) => at + 1);
    return defineSystem({
      processes: Object.fromEntries(upTo(nodes).map((number) => [`n${number}`, node])),
      workload: upTo(appends).map((number) => send('n1', { type: 'append', value: `v${number}` })),
      invariants: {
        committedIsStored(world) {
          const all = world.up(node);
          for (const { name, state } of all) {
            for (const entry of state.entries.slice(0, state.committed)) {
              const copies = all.filter((other) => other.state.entries.includes(entry)).length;
              if (copies * 2 <= nodes) return `${name} has committed ${entry}, which ${copies} of ${nodes} nodes store`;
            }
          }
          return true;
        },
      },
    });
  },
);

const timerOf = (index: number): string => `retry ${index}`;

interface Sender {
  readonly peers: readonly string[];
  send(to: string, message: Message): void;
  setTimer(timer: string, afterMs: number): void;
}

function offer(waiting: ReadonlyMap<number, Waiting>, index: number, ctx: Sender): void {
  const entry = waiting.get(index);
  if (entry === undefined) return;
  for (const peer of ctx.peers) ctx.send(peer, { type: 'replicate', index, value: entry.value });
  if (entry.left-- > 0) ctx.setTimer(timerOf(index), 100);
}

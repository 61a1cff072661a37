import fc from 'fast-check';
import { behavior, defineSystem, generate, heal, send, until, untilQuiet } from 'culprit';

type Message = { type: 'add'; n: number } | { type: 'rare' } | { type: 'toNobody' };

/** Adds what it gets, and passes some of it on. */
const node = behavior<{ sum: number }, Message, 'tick'>({
  start(ctx) {
    ctx.setTimer('tick', 10);
    if (ctx.self === 'a') ctx.send('nobody', { type: 'toNobody' });
    return { sum: 0 };
  },
  receive(state, message, ctx) {
    if (message.type !== 'add') return;
    state.sum += message.n;
    if (message.n > 1) for (const peer of ctx.peers) ctx.send(peer, { type: 'add', n: message.n >> 1 });
  },
  timer(state, _timer, ctx) {
    if (state.sum === 13) ctx.send(ctx.self, { type: 'rare' });
  },
});

const additions = fc
  .tuple(fc.constantFrom('a', 'b', 'c'), fc.integer({ min: 1, max: 4 }))
  .map(([to, n]) => send(to, { type: 'add' as const, n }));

/** Executions with faults, waits and drawn externals; `unlucky` is a sum that must not occur: 0 for none. */
export default defineSystem({ unlucky: 0, many: false, ticks: 0.25 }, ({ unlucky, many, ticks }) =>
  defineSystem({
    processes: { a: node, b: node, c: node },
    kinds: { late: () => node },
    transport: { toAbsent: 'keep' },
    weights: { fire: ticks },
    faults: { crashes: 1, restarts: 1, partitions: 1, losses: 1 },
    workload: [
      generate(2, [1, additions]),
      untilQuiet(),
      heal(),
      until((world) => world.length > 6),
      generate(2, [1, additions]),
    ],
    sometimes: {
      someSum: (world) => world.up(node).some(({ state }) => state.sum > 4),
      rareSum: (world) => world.up(node).some(({ state }) => state.sum === 13),
      noSum: (world) => world.up(node).some(({ state }) => state.sum > 1000),
    },
    invariants: {
      lucky(world) {
        if (unlucky === 0) return true;
        const found = world.up(node).filter(({ state }) => state.sum === unlucky || (many && state.sum > unlucky));
        const processes = found.map(({ name }) => name);
        return processes.length === 0 || { message: `${processes.join(' and ')} have an unlucky sum`, processes };
      },
    },
  }),
);

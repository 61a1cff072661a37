import { behavior, defineSystem, send, type Context } from 'culprit';
import { randomData } from '../twins/random-data.ts';

type Message = { type: 'data'; left: number; data: object } | { type: 'question' } | { type: 'answer'; heard: number };

/** A clone has aliases and cycles as well, but no object without a prototype. */
const dataOf = (seed: number): object => structuredClone(randomData(seed, 6));

/** How a process reacts to the data that it hears: it passes it on, with data of another shape. */
function react(state: { heard: number; last: object | undefined }, message: Message, ctx: Context<Message>): void {
  if (message.type === 'question') ctx.reply({ type: 'answer', heard: state.heard });
  if (message.type !== 'data') return;
  state.heard += 1;
  // An alias: the state and the next message have the same object.
  state.last = message.data;
  if (message.left === 0) return;
  const data = ctx.random.below(2) === 0 ? message.data : dataOf(ctx.random.below(1_000));
  for (const peer of ctx.peers) ctx.send(peer, { type: 'data', left: message.left - 1, data });
}

const node = (awaits: boolean) =>
  behavior<{ heard: number; last: object | undefined }, Message, 'tick'>({
    start(ctx) {
      ctx.setTimer('tick', 10);
      return { heard: Number(ctx.disk.peek('heard') ?? 0), last: undefined };
    },
    receive: awaits
      ? async (state, message, ctx) => {
          react(state, message, ctx);
          if (message.type !== 'data' || message.left > 0) return;
          await ctx.disk.write('heard', state.heard);
          const answer = await ctx.ask(ctx.random.pick(ctx.peers), { type: 'question' }, 20);
          if (answer.type === 'answer') state.heard = Math.max(state.heard, answer.heard);
        }
      : react,
    timer(state, _timer, ctx) {
      if (state.heard > 0) ctx.send(ctx.self, { type: 'data', left: 0, data: dataOf(state.heard) });
    },
  });

/** Messages with data of every shape, faults, and a process that must not hear too much. */
export default defineSystem({ shape: 0, awaits: false, bare: false, most: 6 }, ({ shape, awaits, bare, most }) =>
  defineSystem({
    processes: { a: node(awaits), b: node(awaits), c: node(awaits) },
    transport: { order: shape % 2 === 0 ? 'fifo' : 'unordered' },
    faults: { crashes: 1, restarts: 1, partitions: 1, losses: 1, duplicates: 1, holds: 1 },
    workload: ['a', 'b', 'c', 'a'].map((to, nth) =>
      send(to, { type: 'data', left: 2, data: bare ? randomData(10 * shape + nth, 6) : dataOf(10 * shape + nth) }),
    ),
    invariants: {
      modest(world) {
        const { name } = world.up().find(({ state }) => Number((state as { heard: number }).heard) > most) ?? {};
        return name === undefined || { message: `${name} has heard too much`, processes: [name] };
      },
      lucky: (world) =>
        !world.up().some(({ state }) => (state as { heard: number }).heard === most - 1 && world.length % 9 === 0),
    },
  }),
);

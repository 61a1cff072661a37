import { behavior, crash, defineSystem, restart, send } from 'culprit';

type Message = { type: 'rumour'; about: string; hops: number } | { type: 'ack'; of: number } | { type: 'go' };

/** Spreads rumors, keeps count on disk, and asks again: any number of events, of many kinds. */
const teller = behavior<{ heard: number; latest: string | null; acks: number; friends: string[] }, Message, 'again'>({
  start(ctx) {
    ctx.repeatTimer('again', 10);
    const friends = ctx.peers.filter((peer) => peer[0] === ctx.self[0]);
    return { heard: Number(ctx.disk.peek('heard') ?? 0), latest: null, acks: 0, friends };
  },
  async receive(state, message, ctx) {
    if (message.type === 'ack') state.acks = message.of;
    if (message.type !== 'rumour') return;
    state.heard += 1;
    state.latest = message.about;
    if (ctx.from !== 'environment') ctx.send(ctx.from, { type: 'ack', of: state.heard });
    if (message.hops > 0) ctx.send(ctx.random.pick(state.friends), { ...message, hops: message.hops - 1 });
    if (state.heard % 8 === 0) await ctx.disk.write('heard', state.heard);
  },
  timer(state, _timer, ctx) {
    if (state.heard > 0) ctx.send(ctx.random.pick(state.friends), { type: 'rumour', about: ctx.self, hops: 1 });
  },
});

/** Two independent circles of friends: events in one never lead to events in the other. */
export default defineSystem({ events: 20_000 }, ({ events }) =>
  defineSystem({
    name: 'crowd',
    processes: Object.fromEntries(['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'b3', 'b4'].map((name) => [name, teller])),
    faults: { losses: 20, duplicates: 20 },
    workload: [
      send('a1', { type: 'rumour', about: 'a1', hops: 4 }),
      send('b1', { type: 'rumour', about: 'b1', hops: 4 }),
      crash('a2'),
      restart('a2'),
    ],
    invariants: {
      quiet: (world) =>
        world.length < events || {
          message: `${world.length} events, and still no quiet`,
          processes: ['a1'],
          values: { events: world.length },
        },
    },
  }),
);

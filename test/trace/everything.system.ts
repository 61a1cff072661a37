import { act, behavior, crash, cut, defineSystem, heal, restart, send, start, stop } from 'culprit';

type Message =
  | { type: 'work'; n: number }
  | { type: 'question' }
  | { type: 'answer' }
  | { type: 'big'; of: Map<string, bigint> };

/** Uses everything a process can do, so that a trace of it has every kind of event. */
const busy = behavior<{ done: number; seen: Set<string>; big: Map<string, bigint> }, Message, 'tick' | 'once'>({
  start(ctx) {
    ctx.repeatTimer('tick', 20);
    ctx.setTimer('once', 10);
    ctx.log(`${ctx.self} starts, restarted ${ctx.restarts} times`);
    return { done: Number(ctx.disk.peek('done') ?? 0), seen: new Set(), big: new Map() };
  },
  async receive(state, message, ctx) {
    state.seen.add(message.type);
    if (message.type === 'big') state.big = message.of;
    if (message.type === 'question') ctx.reply({ type: 'answer' });
    if (message.type !== 'work') return;
    state.done += message.n;
    const call = ctx.history.call({ f: 'work', value: message.n }, ctx.self);
    await ctx.disk.write('done', state.done);
    const kept = await ctx.disk.read('done');
    ctx.send('environment', { type: 'work', n: Number(kept) });
    if (ctx.random.below(2) === 0) ctx.spawn('helper', { of: ctx.self });
    await ctx.sleep(5);
    for (const peer of ctx.peers)
      ctx.send(peer, { type: 'big', of: new Map([[ctx.self, 2n ** 70n]]) }, { lane: 'bulk' });
    try {
      await ctx.ask(ctx.random.pick(ctx.peers), { type: 'question' }, 30);
      ctx.history.return(call, kept);
    } catch (error) {
      ctx.log(String(error));
      ctx.history.fail(call);
    }
  },
  timer(state, timer, ctx) {
    if (timer === 'once') ctx.send('late', { type: 'work', n: state.done });
  },
});

const helper = ({ of }: { of: string }) =>
  behavior<{ of: string }, Message>({
    start: (ctx) => {
      ctx.send(of, { type: 'work', n: 1 });
      return { of };
    },
    receive() {},
  });

export default defineSystem({
  name: 'everything',
  processes: { a: busy, b: busy, c: busy },
  kinds: { helper },
  transport: { order: 'unordered', toAbsent: 'return' },
  faults: { losses: 2, duplicates: 2, holds: 2 },
  phrases: {
    message: ({ type }, { from }) => (type === 'work' ? `is told to work by ${from}` : undefined),
    timer: (timer) => `is late: ${timer}`,
    state: (state, process) => `${process}, ${Object.keys(state).length} fields`,
  },
  actions: { storm: () => [send('b', { type: 'work', n: 3 }), send('c', { type: 'work', n: 4 })] },
  workload: [
    send('a', { type: 'work', n: 1 }),
    cut('a', ['b', 'c']),
    act('storm'),
    start('late', 'helper', { of: 'a' }),
    crash('b'),
    heal(),
    cut('b', 'c', { lane: 'bulk' }),
    restart('b'),
    send('b', { type: 'work', n: 2 }),
    stop('c'),
  ],
  invariants: {
    // Fails once the execution is interesting enough to keep.
    notEverythingYet: (world) =>
      world.length < 400 || world.process('c').up || { message: 'c is gone', values: { at: world.length, of: 2n } },
  },
});

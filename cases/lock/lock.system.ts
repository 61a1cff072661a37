import { behavior, defineSystem } from 'culprit';

type Message = { type: 'acquire' } | { type: 'granted' } | { type: 'release' };

const client = behavior<{ phase: 'waiting' | 'holding' | 'done' }, Message>({
  start(ctx) {
    ctx.send('lock', { type: 'acquire' });
    ctx.setTimer('enough', 100);
    return { phase: 'waiting' };
  },
  receive(state, message) {
    if (message.type === 'granted' && state.phase === 'waiting') state.phase = 'holding';
  },
  // Done with the lock, or tired of waiting for it: either way, let go.
  timer(state, _timer, ctx) {
    state.phase = 'done';
    ctx.send('lock', { type: 'release' });
  },
});

export default defineSystem({ checksOwner: false }, ({ checksOwner }) => {
  const lock = behavior({
    start: () => ({ holder: null as string | null }),
    receive(state, message: Message, ctx) {
      if (message.type === 'acquire' && state.holder === null) {
        state.holder = ctx.from;
        ctx.send(ctx.from, { type: 'granted' });
      }
      if (message.type === 'release' && (state.holder === ctx.from || !checksOwner)) state.holder = null;
    },
  });

  return defineSystem({
    processes: { lock, 'client-1': client, 'client-2': client, 'client-3': client },
    invariants: {
      mutualExclusion(world) {
        const holders = world.up(client).filter(({ state }) => state.phase === 'holding');
        return holders.length < 2 || `${holders.map(({ name }) => name).join(' and ')} both hold the lock`;
      },
    },
  });
});

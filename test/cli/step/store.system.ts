import { behavior, defineSystem, linearizable, models, progress, send } from 'culprit';

type Message =
  | { type: 'put'; value: number }
  | { type: 'copy'; value: number }
  | { type: 'copied'; value: number }
  | { type: 'get' };

/** Keeps a value on its disk, and a copy elsewhere. Forgets to read its disk when it restarts. */
const primary = behavior<{ value: number; copied: number[]; puts: Map<string, number> }, Message>({
  start: () => ({ value: 0, copied: [], puts: new Map() }),
  receive(state, message, ctx) {
    if (message.type === 'put') {
      const call = ctx.history.call({ f: 'write', value: message.value });
      state.puts.set('calls', call);
      state.value = message.value;
      void ctx.disk.write('value', message.value);
      ctx.send('backup', { type: 'copy', value: message.value });
    }
    if (message.type === 'copied') {
      state.copied.push(message.value);
      ctx.log(`copied ${message.value}`);
      if (state.puts.has('calls')) ctx.history.return(state.puts.get('calls') as number);
    }
    if (message.type === 'get') {
      const call = ctx.history.call({ f: 'read' });
      ctx.history.return(call, state.value);
    }
  },
});

const backup = behavior<{ value: number }, Message>({
  start: () => ({ value: 0 }),
  receive(state, message, ctx) {
    if (message.type !== 'copy') return;
    if (message.value < 0) throw new RangeError('less than nothing');
    state.value = message.value;
    ctx.reply({ type: 'copied', value: message.value });
  },
});

const guest = ({ greets }: { greets: string }) =>
  behavior<{ greets: string }, Message>({
    start(ctx) {
      ctx.setTimer('greet', 10);
      return { greets };
    },
    receive() {},
    timer: (state, _timer, ctx) => ctx.send(state.greets, { type: 'get' }),
  });

export default defineSystem({
  processes: { primary, backup },
  kinds: { guest },
  transport: { onCut: 'drop' },
  faults: { losses: 1, duplicates: 1 },
  workload: [send('primary', { type: 'put', value: 1 })],
  actions: { twice: () => [send('primary', { type: 'put', value: 2 }), send('primary', { type: 'put', value: 3 })] },
  sometimes: { isCopied: (world) => world.process('backup').state?.value === 1 },
  invariants: {
    copiedOnce: (world) => (world.process('primary').state?.copied ?? []).length < 3 || 'one copy too many',
  },
  oracles: {
    register: linearizable(models.register(0)),
    copies: progress((world) => world.up(backup)[0]?.state.value === world.up(primary)[0]?.state.value),
  },
});

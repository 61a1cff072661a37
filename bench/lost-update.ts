import { behavior, defineSystem, type System } from 'culprit';

type Message =
  | { type: 'noise' }
  | { type: 'read' }
  | { type: 'value'; value: number }
  | { type: 'write'; value: number };

const register = behavior<{ value: number; writes: number }, Message>({
  start: () => ({ value: 0, writes: 0 }),
  receive(state, message, ctx) {
    if (message.type === 'read') ctx.send(ctx.from, { type: 'value', value: state.value });
    if (message.type !== 'write') return;
    state.value = message.value;
    state.writes += 1;
  },
});

const client = behavior<object, Message>({
  start(ctx) {
    ctx.send('register', { type: 'read' });
    return {};
  },
  receive(_state, message, ctx) {
    if (message.type === 'value') ctx.send('register', { type: 'write', value: message.value + 1 });
  },
});

/**
 * This many clients read a register and then write one more than they read: updates get lost, but no invariant forbids
 * it.
 */
export const lostUpdate = (clients: number): System =>
  defineSystem({
    processes: { register, ...Object.fromEntries(Array.from({ length: clients }, (_, at) => [`c${at}`, client])) },
  });

/** Two clients that lose an update, among this many unrelated calls; here an invariant forbids it. */
export const noisyLostUpdate = (calls: number): System => {
  const noise = behavior<object, Message>({
    start(ctx) {
      for (let call = 0; call < calls; call++) ctx.send('register', { type: 'noise' });
      return {};
    },
    receive() {},
  });
  return defineSystem({
    processes: { register, noise, c0: client, c1: client },
    transport: 'unordered',
    invariants: { nothingLost: (world) => world.up(register).every(({ state }) => state.value === state.writes) },
  });
};

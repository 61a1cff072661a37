import { behaviour, defineSystem, type System } from 'culprit';

type Message = { type: 'read' } | { type: 'value'; value: number } | { type: 'write'; value: number };

const register = behaviour<{ value: number }, Message>({
  start: () => ({ value: 0 }),
  receive(state, message, ctx) {
    if (message.type === 'read') ctx.send(ctx.from, { type: 'value', value: state.value });
    if (message.type === 'write') state.value = message.value;
  },
});

const client = behaviour<object, Message>({
  start(ctx) {
    ctx.send('register', { type: 'read' });
    return {};
  },
  receive(_state, message, ctx) {
    if (message.type === 'value') ctx.send('register', { type: 'write', value: message.value + 1 });
  },
});

/** So many clients read a register and then write one more than they read: updates get lost, and nobody minds. */
export const lostUpdate = (clients: number): System =>
  defineSystem({
    processes: { register, ...Object.fromEntries(Array.from({ length: clients }, (_, at) => [`c${at}`, client])) },
  });

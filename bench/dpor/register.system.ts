import { behavior, defineSystem } from 'culprit';

const holder = behavior<{ value: number }, 'read' | number>({
  start: () => ({ value: 0 }),
  receive(state, message, ctx) {
    if (message === 'read') ctx.reply(state.value);
    else state.value = message;
  },
});

const client = behavior<object, 'read' | number>({
  start(ctx) {
    ctx.send('register', 'read');
    return {};
  },
  receive: (_state, value, ctx) => ctx.send('register', Number(value) + 1),
});

/** This many clients read a register, and then write it. */
export default defineSystem({ clients: 5 }, ({ clients }) => {
  const all = Array.from({ length: clients }, (_, at) => [`client ${at}`, client] as const);
  return defineSystem({ processes: { register: holder, ...Object.fromEntries(all) } });
});

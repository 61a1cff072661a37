import { behavior, defineSystem, send } from 'culprit';

/** Control characters of a terminal: a color, a bell, a line break, and the direction of text. */
export const bad = '\u001b[31m\u0007\nfake\u202e\u009b1m';

/** A system whose texts are all hostile. */
const node = behavior<Record<string, unknown>, { readonly type: string; readonly [field: string]: string }>({
  start(ctx) {
    ctx.log(`log${bad}`);
    ctx.setTimer(`timer${bad}`, 1);
    return { [`field${bad}`]: `value${bad}` };
  },
  receive(state, message, ctx) {
    state[`got${bad}`] = message.type;
    for (const peer of ctx.peers) if (message.type.startsWith('first')) ctx.send(peer, { type: `second${bad}` });
  },
  timer(state, name) {
    state['fired'] = name;
  },
});

export default defineSystem({ [`parameter${bad}`]: `text${bad}` }, () =>
  defineSystem({
    name: `system${bad}`,
    processes: { [`one${bad}`]: node, [`two${bad}`]: node },
    workload: [send(`one${bad}`, { type: `first${bad}`, [`key${bad}`]: bad })],
    invariants: {
      [`sentence${bad}`]: (world) =>
        !world.up(node).some(({ state }) => String(state[`got${bad}`]).startsWith('second')) || `it is violated${bad}`,
    },
  }),
);

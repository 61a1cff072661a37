import { behavior, untilQuiet } from 'culprit';
import { defineNetwork, linear, type SwitchMessage } from 'culprit/networks';

/** Sends every packet to all other ports. */
const hub = behavior({
  start: () => ({}),
  receive(_state: object, message: SwitchMessage, ctx) {
    if (message.type === 'hello') ctx.send(ctx.from, message);
    if (message.type !== 'packet_in') return;
    const { bufferId, inPort } = message;
    const actions = [{ type: 'output', port: 'flood', maxLen: 0 }] as const;
    ctx.send(ctx.from, { type: 'packet_out', xid: 1, bufferId, inPort, actions, data: '' });
  },
});

/** h1 moves from the first switch of two to the second, and h2 sends it a frame there. */
export default defineNetwork({
  topology: linear(2),
  controllers: { c1: hub },
  migrations: true,
  traffic: (net) => [net.ping('h1', 'h2'), untilQuiet(), net.migrate('h1', 's2'), untilQuiet(), net.ping('h2', 'h1')],
  invariants: {
    // Wrong, to see the frame arrive.
    alone: (world) => {
      const { stations = {} } = (world.process('s2').state ?? {}) as { stations?: Readonly<Record<string, unknown>> };
      return stations['h1'] === undefined || 'h1 got a frame at s2';
    },
  },
});

import { expect, test } from 'vitest';
import { minimize, search } from 'culprit';
import { controllerBehavior, defineNetwork, linear, output, parseFrame } from 'culprit/networks';
import type { EventLine, Trace } from 'culprit/trace';

const hub = controllerBehavior({
  start: () => ({ packets: 0 }),
  packetIn(state, packet, from) {
    state.packets++;
    from.sendPacket(packet, [output('flood')]);
  },
});

const network = (migrations: boolean) =>
  defineNetwork({
    topology: linear(2),
    controllers: { c1: hub },
    migrations,
    settle: { self: true, allToAll: true },
    traffic: (net) => [net.ping('h1', 'h2'), net.ping('h2', 'h1'), net.ping('h1', 'h2')],
    // Each ping makes two packets, so four of them settle the network.
    invariants: { few: (world) => world.up(hub).every(({ state }) => state.packets <= 8) || 'too many packets' },
  });

/** Whether the ping is one of the phase before the traffic. */
function settles(event: EventLine): boolean {
  if (event.kind === 'act') return (event.payload as { settles?: boolean }).settles === true;
  const { packet } = (event.kind === 'send' ? event.message : {}) as { readonly packet: string };
  const payload = parseFrame(packet)?.payload;
  return payload?.kind === 'ipv4' && payload.payload.kind === 'icmp' && payload.payload.echo?.seq === 0;
}

test.each([false, true])('the settle phase comes first, and minimizing keeps it: migrations %s', async (migrations) => {
  const { findings } = await search(network(migrations), { executions: 1 });
  const { trace } = await minimize(network(migrations), (findings[0] as { trace: Trace }).trace);
  const pings = trace.events.filter(({ kind }) => kind === (migrations ? 'act' : 'send'));
  expect(pings.map(settles)).toEqual([true, true, true, true, false]);
});

test('its options are checked', () => {
  const settle = { rounds: -1 };
  expect(() => defineNetwork({ topology: linear(2), controllers: { c1: hub }, settle })).toThrow('rounds is');
});

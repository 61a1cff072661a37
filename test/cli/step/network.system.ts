import { controllerBehavior, defineNetwork, linear, noBlackholes, output } from 'culprit/networks';

/** Learns where stations are, and never forgets. */
const learner = controllerBehavior<{ ports: Record<string, number> }>({
  start: () => ({ ports: {} }),
  packetIn({ ports }, packet, from) {
    const {
      inPort,
      frame: { dlSrc, dlDst },
    } = packet;
    ports[`${from.name} ${dlSrc}`] = inPort;
    const port = ports[`${from.name} ${dlDst}`];
    if (port === undefined || port === inPort) from.sendPacket(packet, [output('flood')]);
    else from.addFlow({ match: { dlSrc, dlDst }, actions: [output(port)], packet });
  },
});

export default defineNetwork({
  topology: linear(2),
  controllers: { c1: learner },
  migrations: true,
  switches: { connectTries: 1 },
  faults: { losses: 1, holds: 1 },
  traffic: (net) => [net.ping('h1', 'h1')],
  invariants: { noBlackholes: noBlackholes({ persist: 'untilIdle' }) },
});

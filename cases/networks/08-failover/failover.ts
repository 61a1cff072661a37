import type { System } from 'culprit';
import { controllersAlive, noBlackholes, topologyFrom, type NetworkDefinition } from 'culprit/networks';
import { studySystem } from '../study.ts';

/** Two switches with a station each, a link between them, and a detour by a third switch. */
const topology = topologyFrom({
  switches: [{ name: 's1' }, { name: 's2' }, { name: 's3' }],
  links: [
    { ends: ['s1', 's2'].map((name) => ({ switch: name, port: 1 })) },
    { ends: ['s1', 's3'].map((name, nth) => ({ switch: name, port: 2 - nth })) },
    { ends: ['s2', 's3'].map((name) => ({ switch: name, port: 2 })) },
  ],
  stations: ['s1', 's2'].map((name, nth) => ({ name: `h${nth + 1}`, switch: name, port: 3 })),
});

const PEERS = 7_000;

/** A backup that trusts the entries of the master from which it takes over. */
export const failover = (script: NonNullable<NetworkDefinition['traffic']>): System =>
  studySystem(
    150,
    ({ live }) => ({
      controllers: {
        c1: { app: 'forwarding', bug: 'trusting', options: { peers: { port: PEERS } } },
        c2: { app: 'forwarding', bug: 'trusting', connects: { c1: PEERS } },
      },
      topology,
      // The stations talk before anything fails, so that there are entries.
      settle: { allToAll: true },
      traffic: { pings: 0.5, udp: 0.5 },
      faults: {
        linkFailure: 0.03,
        linkRecovery: 0.01,
        controlFailure: 0.005,
        controlRecovery: 0.5,
        controllerFailure: 0.006,
        crashes: 1,
      },
      script,
      // The backup takes over after one second, which is 10 rounds; a busy machine needs time for repairs, too.
      invariants: { blackholes: noBlackholes({ persist: live ? 30 : 'untilIdle' }), alive: controllersAlive() },
    }),
    { pace: 3 },
  );

import { untilQuiet } from 'culprit';
import { controllersAlive, mesh, noBlackholes } from 'culprit/networks';
import { lasting, studySystem } from '../study.ts';

/** A controller that learns where a station is from a packet on a link. */
export default studySystem(
  100,
  (parameters) => ({
    controllers: { c1: { app: 'paths', bug: 'inflight' } },
    topology: mesh(2),
    traffic: { pings: 0.2, udp: 0.1 },
    faults: { linkFailure: 0.02, linkRecovery: 0.2, discoveryLoss: 0.1, frameDelay: 0.05, discoveryDelay: 0.05 },
    script: (net) => [untilQuiet(), net.ping('h2', 'h1')],
    invariants: { blackholes: noBlackholes(lasting(parameters)), alive: controllersAlive() },
  }),
  { pace: 5 },
);

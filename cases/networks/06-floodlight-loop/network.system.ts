import { controllersAlive, mesh, noLoops } from 'culprit/networks';
import { lasting, studySystem } from '../study.ts';

/** A controller that believes a station to have moved when a copy of its packet arrives over a link that is not known yet. */
export default studySystem(
  100,
  (parameters) => ({
    controllers: { c1: { app: 'forwarding', bug: 'moves' } },
    topology: mesh(3),
    traffic: { pings: 0.2, arps: 0.2 },
    faults: { discoveryLoss: 0.6, linkFailure: 0.01, linkRecovery: 0.3 },
    script: (net) => [net.arp('h3', 'h1'), net.ping('h1', 'h3')],
    invariants: { loops: noLoops(lasting(parameters)), alive: controllersAlive() },
  }),
  { pace: 5 },
);

import { untilQuiet } from 'culprit';
import { controllersAlive, mesh, noLoops } from 'culprit/networks';
import { lasting, studySystem } from '../study.ts';

/** Random numbers of the controller follow from the seed of an execution. Its clock and its timers are its own. */
const drawsOnly = { shim: 'node', time: false, timers: false, logs: false } as const;

/** A controller that believes a station to have moved to a switch whose links it does not know yet. */
export default studySystem(
  200,
  (parameters) => ({
    // The order in which links are found is drawn, and the loop depends on it: a replay has to draw the same.
    controllers: { c1: { app: 'routing', bug: 'copies', options: { inside: drawsOnly } } },
    topology: mesh(4),
    stations: { arp: false },
    traffic: { pings: 0.2, arps: 0.02 },
    faults: {
      frameLoss: 0.05,
      discoveryLoss: 0.1,
      linkFailure: 0.005,
      linkRecovery: 0.1,
      controlFailure: 0.005,
      controlRecovery: 0.5,
    },
    // The station sends once, when few links are known, and others send to it while links are found.
    script: (net) => [
      untilQuiet(),
      net.ping('h4', 'h1'),
      ...Array.from({ length: 4 }, () => [
        untilQuiet(),
        ...['h1', 'h2', 'h3'].map((name) => net.ping(name, 'h4')),
      ]).flat(),
    ],
    invariants: { loops: noLoops(lasting(parameters)), alive: controllersAlive() },
  }),
  // All links are found within five seconds.
  { pace: 1 },
);

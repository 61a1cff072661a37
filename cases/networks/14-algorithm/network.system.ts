import { untilQuiet } from 'culprit';
import { controllersAlive, mesh, noLoops } from 'culprit/networks';
import { lasting, studySystem } from '../study.ts';

/** A controller whose algorithm for shortest paths gives a circle for one pair of switches. */
export default studySystem(
  200,
  (parameters) => ({
    controllers: { c1: { app: 'paths', bug: 'floyd', python: parameters.python } },
    topology: mesh(3),
    // Links are known before the first input: each port is probed once a second.
    settle: { self: false, forMs: 2_000 },
    pace: { roundMs: 30 },
    // Stations that answer would send to each other what the environment did not let them send.
    stations: { arp: false },
    traffic: { arps: 0.3, pings: 0.02 },
    script: (net) => [untilQuiet(), net.ping('h3', 'h2'), untilQuiet(), net.ping('h1', 'h3')],
    invariants: { loops: noLoops(lasting(parameters)), alive: controllersAlive() },
  }),
  { pace: 5, python: false },
);

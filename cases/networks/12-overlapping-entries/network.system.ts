import { untilQuiet } from 'culprit';
import { controllersAlive, mesh, noOverlap } from 'culprit/networks';
import { lasting, studySystem } from '../study.ts';

const topology = mesh(2);
const server = topology.stations.find(({ name }) => name === 'h1')?.mac ?? '';

/** A controller that protects a server by an entry that others mask. */
export default studySystem(
  200,
  (parameters) => ({
    controllers: { c1: { app: 'paths', bug: 'overlap', given: { servers: server } } },
    // Links are known before the first input: each port is probed once a second.
    settle: { self: false, forMs: 2_000 },
    topology,
    pace: { roundMs: 30 },
    traffic: { pings: 0.01 },
    faults: { linkFailure: 0.3, linkRecovery: 0.5 },
    script: (net) => [untilQuiet(), net.tcp('h1', 'h1', { flow: 1 }), untilQuiet(), net.ping('h2', 'h1')],
    invariants: { overlap: noOverlap(lasting(parameters)), alive: controllersAlive() },
  }),
  { pace: 5 },
);

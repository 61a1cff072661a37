import { until, untilQuiet } from 'culprit';
import { controllersAlive, mesh, noLoops } from 'culprit/networks';
import { isProbeBetween } from '../base/frames.ts';
import { lasting, studySystem } from '../study.ts';

/** Within this time, at pace 1, discovery probes every link once more: its first probes are in vain if the other switch is not connected yet. */
const ALL_FOUND_MS = 9_000;

/** A controller that believes a station to have moved when a copy of its packet arrives over a link that is not known yet. */
export default studySystem(
  150,
  (parameters) => ({
    controllers: { c1: { app: 'forwarding', bug: 'moves' } },
    topology: mesh(3),
    stations: { arp: false },
    traffic: { pings: 0.4, arps: 0.2 },
    faults: { discoveryLoss: 0.5, linkFailure: 0.01, linkRecovery: 0.3 },
    script: (net) => [
      until(() => false, { name: 'the other links are found', withinMs: ALL_FOUND_MS / parameters.pace }),
      net.arp('h3', 'h1'),
      untilQuiet(),
      net.ping('h1', 'h3'),
    ],
    scriptLoses: (message) => isProbeBetween(message, 's1', 's2'),
    invariants: { loops: noLoops(lasting(parameters)), alive: controllersAlive() },
  }),
  // A link that discovery has missed stays unknown for five seconds.
  { pace: 1 },
);

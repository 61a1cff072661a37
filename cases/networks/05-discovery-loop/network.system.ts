import { until, untilQuiet } from 'culprit';
import { controllersAlive, mesh, noLoops } from 'culprit/networks';
import { frameIn, isProbeBetween } from '../base/frames.ts';
import { drawsOnly, lasting, studySystem } from '../study.ts';

/** The links that discovery does not find while the script runs. */
const unfound = [
  ['s2', 's3'],
  ['s2', 's4'],
  ['s3', 's4'],
] as const;

/** Discovery probes every port once in this time, at pace 1. */
const ALL_FOUND_MS = 6_000;

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
    // No link of s3 is known when a copy of the first ping arrives there. Then its link to s1 is found, and no other one of it.
    script: (net) => [
      net.cutLink('s1', 's3'),
      until(() => false, { withinMs: ALL_FOUND_MS / parameters.pace }),
      net.ping('h4', 'h1'),
      untilQuiet(),
      net.healLink('s1', 's3'),
      untilQuiet(),
      net.ping('h1', 'h4'),
    ],
    scriptLoses: (message) =>
      unfound.some(([one, other]) => isProbeBetween(message, one, other)) || frameIn(message, 's2', 's3') !== undefined,
    invariants: { loops: noLoops(lasting(parameters)), alive: controllersAlive() },
  }),
  // All links are found within five seconds.
  { pace: 1 },
);

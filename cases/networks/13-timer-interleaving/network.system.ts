import { until, untilQuiet } from 'culprit';
import { controllersAlive, mesh } from 'culprit/networks';
import { studySystem } from '../study.ts';

/** A controller that two of its timers end, if they fire in a certain order. With `shim`, culprit decides when they fire. */
export default studySystem(
  200,
  () => ({
    controllers: { c1: { app: 'paths', bug: 'timer' } },
    topology: mesh(3),
    pace: { roundMs: 50 },
    traffic: { pings: 0.2 },
    faults: { linkFailure: 0.03, linkRecovery: 0.1 },
    // The second failure comes while the timers of the first one run: 70 ms after it they fire, and those of the second run for 50 ms.
    script: (net) => [
      untilQuiet(),
      net.cutLink('s1', 's2'),
      until(() => false, { withinMs: 40 }),
      net.cutLink('s1', 's3'),
    ],
    invariants: { alive: controllersAlive() },
  }),
  { shim: true },
);

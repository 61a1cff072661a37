import { until, untilQuiet } from 'culprit';
import { controllersAlive, mesh } from 'culprit/networks';
import { areProbed } from '../base/frames.ts';
import { studySystem } from '../study.ts';

/** A controller that two of its timers end, if they fire in a certain order. With `shim`, culprit decides when they fire. */
export default studySystem(
  200,
  ({ pace }) => ({
    controllers: { c1: { app: 'paths', bug: 'timer' } },
    topology: mesh(3),
    pace: { roundMs: 50 },
    traffic: { pings: 0.2 },
    faults: { linkFailure: 0.03, linkRecovery: 0.1 },
    // The second failure comes while the timers of the first one run: 140 ms after it they fire, and those of the second run for 100 ms.
    script: (net) => [
      until(areProbed, { name: 'all ports are probed' }),
      untilQuiet(),
      net.cutLink('s1', 's2'),
      until(() => false, { withinMs: 800 / pace }),
      net.cutLink('s1', 's3'),
    ],
    invariants: { alive: controllersAlive() },
  }),
  { pace: 10, shim: true },
);

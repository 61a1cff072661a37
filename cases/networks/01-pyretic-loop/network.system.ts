import { until, untilQuiet } from 'culprit';
import { controllersAlive, mesh, noLoops } from 'culprit/networks';
import { areProbed } from '../base/frames.ts';
import { studySystem } from '../study.ts';

/** A hub that floods into a port before it knows whether a link is there. */
export default studySystem(
  60,
  ({ live }) => ({
    controllers: { c1: { app: 'hub', bug: 'hasty' } },
    topology: mesh(3),
    traffic: { pings: 0.4 },
    faults: { linkFailure: 0.01, linkRecovery: 0.2 },
    script: (net) => [
      until(areProbed, { name: 'all ports are probed' }),
      untilQuiet(),
      net.cutLink('s1', 's3'),
      untilQuiet(),
      net.healLink('s1', 's3'),
    ],
    // Before the first links are known, packets go around as well.
    invariants: { loops: noLoops({ persist: live ? 5 : 'untilIdle' }), alive: controllersAlive() },
  }),
  // Discovery keeps a link for 10 seconds without LLDP, and the link has to be back before: 5 seconds are 50 rounds.
  { pace: 2 },
);

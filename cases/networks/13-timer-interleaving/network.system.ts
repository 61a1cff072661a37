import { untilQuiet } from 'culprit';
import { controllersAlive, mesh } from 'culprit/networks';
import { studySystem } from '../study.ts';

/** A controller that two of its timers end, if they fire in a certain order. */
export default studySystem(200, () => ({
  controllers: { c1: { app: 'paths', bug: 'timer' } },
  topology: mesh(3),
  pace: { roundMs: 50 },
  traffic: { pings: 0.05 },
  faults: { linkFailure: 0.03, linkRecovery: 0.1 },
  script: (net) => [untilQuiet(), net.cutLink('s1', 's2'), net.cutLink('s1', 's3')],
  invariants: { alive: controllersAlive() },
}));

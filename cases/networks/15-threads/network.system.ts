import { controllersAlive, mesh } from 'culprit/networks';
import { studySystem } from '../study.ts';

/** A link that fails and recovers while another thread is still busy with the failure. */
export default studySystem(
  600,
  ({ live, pace }) => ({
    controllers: { c1: { app: 'threads', bug: 'race', given: live ? { threads: 'true' } : {} } },
    topology: mesh(10),
    pace: { roundMs: 250 / pace, quietMs: 300 },
    traffic: { pings: 0.5 },
    faults: { linkFailure: 0.0008, linkRecovery: 0.09 },
    script: (net) => [net.cutLink('s3', 's7'), net.healLink('s3', 's7')],
    invariants: { alive: controllersAlive() },
  }),
  { pace: 5 },
);

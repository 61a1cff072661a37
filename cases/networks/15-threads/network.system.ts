import { untilQuiet } from 'culprit';
import { controllersAlive, mesh } from 'culprit/networks';
import { studySystem } from '../study.ts';

/** A link that fails and recovers while another thread is still busy with the failure; with `io`, two threads that share a send buffer. */
export default studySystem(
  600,
  ({ live, io }) => ({
    controllers: {
      c1: {
        app: 'threads',
        bug: io ? 'io' : 'race',
        given: { ...(live ? { threads: 'true' } : {}), ...(io ? { buffered: 'true' } : {}) },
      },
    },
    topology: mesh(10),
    // Links are known before the first input.
    settle: { self: false },
    pace: { roundMs: 50, quietMs: 300 },
    traffic: { pings: 0.5 },
    faults: { linkFailure: 0.0003, linkRecovery: 0.02 },
    script: (net) => [untilQuiet({ withinMs: 3000 }), net.cutLink('s3', 's7'), net.healLink('s3', 's7')],
    invariants: { alive: controllersAlive() },
  }),
  // The computation takes several rounds.
  { pace: 2, io: false },
);

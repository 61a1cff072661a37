import { untilQuiet } from 'culprit';
import { controllersAlive, mesh } from 'culprit/networks';
import { studySystem } from '../study.ts';

/** A controller that overwrites its memory when one port of one switch goes down. */
export default studySystem(
  120,
  ({ python }) => ({
    controllers: { c1: { app: 'paths', bug: 'corrupt', python } },
    topology: mesh(4),
    // Links are known before the first input: each port is probed once a second.
    settle: { self: false, forMs: 2_000 },
    pace: { roundMs: 30 },
    traffic: { pings: 0.9, udp: 0.9 },
    faults: { linkFailure: 0.004, linkRecovery: 0.09 },
    script: (net) => [untilQuiet(), net.cutLink('s1', 's4'), untilQuiet(), net.healLink('s1', 's4')],
    invariants: { alive: controllersAlive() },
  }),
  { pace: 5, python: false },
);

import { cut, heal, until, untilQuiet } from 'culprit';
import { controllersAlive, fatTree } from 'culprit/networks';
import { studySystem } from '../study.ts';

/** A controller that forgets a silent switch, and does not close its channel. */
export default studySystem(
  150,
  ({ pace }) => ({
    controllers: { c1: { app: 'paths', bug: 'null', given: { keepalive: 'on' } } },
    topology: fatTree(4),
    traffic: { pings: 0.04 },
    faults: { channelBlock: 0.001, channelUnblock: 0.001 * pace },
    // The controller gives a switch up after 50 seconds of silence at most.
    script: () => [untilQuiet(), cut('c1', 's7'), until(() => false, { withinMs: 55_000 / pace }), heal('c1', 's7')],
    invariants: { alive: controllersAlive() },
  }),
  { pace: 10 },
);

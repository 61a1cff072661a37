import { cut, heal, until, untilQuiet } from 'culprit';
import { controllersAlive, fatTree } from 'culprit/networks';
import { studySystem } from '../study.ts';

/**
 * A controller that forgets a silent switch, and does not close its channel. With `atConnect`, it fails whenever a certain switch connects,
 * which a block only delays: no input is needed. `k`: the size of the fat tree.
 */
export default studySystem(
  150,
  ({ pace, atConnect, k }) => ({
    controllers: { c1: { app: 'paths', bug: atConnect ? 'connect' : 'null', given: { keepalive: 'on' } } },
    topology: fatTree(k),
    // Links are known before the first input, unless the failure comes with the connection of a switch.
    ...(atConnect ? {} : { settle: { self: false } }),
    traffic: { pings: 0.04 },
    faults: { channelBlock: 0.001, channelUnblock: 0.001 * pace },
    script: (net) =>
      atConnect
        ? [cut('c1', 's3'), untilQuiet(), net.ping('h1', 'h2'), untilQuiet(), heal('c1', 's3')]
        : // The controller gives a switch up after 50 seconds of silence at most.
          [untilQuiet(), cut('c1', 's7'), until(() => false, { withinMs: 55_000 / pace }), heal('c1', 's7')],
    invariants: { alive: controllersAlive() },
  }),
  { pace: 10, atConnect: false, k: 4 },
);

import { cut, heal, until, untilQuiet } from 'culprit';
import { controllersAlive, fatTree } from 'culprit/networks';
import { studySystem } from '../study.ts';

/** The controller asks for echoes in this interval, and gives a switch up after at most five intervals of silence. */
const ECHO_S = 5;

/**
 * A controller that forgets a silent switch, and does not close its channel. With `atConnect`, it fails whenever a certain switch connects,
 * which a block only delays: no input is needed. `k`: the size of the fat tree.
 */
export default studySystem(
  150,
  ({ pace, atConnect, k }) => ({
    controllers: { c1: { app: 'paths', bug: atConnect ? 'connect' : 'null', given: { keepalive: `${ECHO_S}` } } },
    topology: fatTree(k),
    // Links are known before the first input, unless the failure comes with the connection of a switch.
    ...(atConnect ? {} : { settle: { self: false } }),
    traffic: { pings: 0.04 },
    faults: { channelBlock: 0.002, channelUnblock: 0.02 },
    script: (net) =>
      atConnect
        ? [cut('c1', 's3'), untilQuiet(), net.ping('h1', 'h2'), untilQuiet(), heal('c1', 's3')]
        : [untilQuiet(), cut('c1', 's7'), until(() => false, { withinMs: (6_000 * ECHO_S) / pace }), heal('c1', 's7')],
    invariants: { alive: controllersAlive() },
  }),
  { pace: 4, atConnect: false, k: 4 },
);

import { crash, untilQuiet } from 'culprit';
import { controllersAlive, noBlackholes, topologyFrom } from 'culprit/networks';
import { studySystem } from '../study.ts';

/** Two switches with a station each, a link between them, and a detour by a third switch. */
const topology = topologyFrom({
  switches: [{ name: 's1' }, { name: 's2' }, { name: 's3' }],
  links: [
    {
      ends: [
        { switch: 's1', port: 1 },
        { switch: 's2', port: 1 },
      ],
    },
    {
      ends: [
        { switch: 's1', port: 2 },
        { switch: 's3', port: 1 },
      ],
    },
    {
      ends: [
        { switch: 's2', port: 2 },
        { switch: 's3', port: 2 },
      ],
    },
  ],
  stations: [
    { name: 'h1', switch: 's1', port: 3 },
    { name: 'h2', switch: 's2', port: 3 },
  ],
});

const PEERS = 7_000;

/** A backup that trusts the entries of the master from which it takes over. */
export default studySystem(
  150,
  ({ live }) => ({
    controllers: {
      c1: { app: 'forwarding', bug: 'trusting', options: { peers: { port: PEERS } } },
      c2: { app: 'forwarding', bug: 'trusting', connects: { c1: PEERS } },
    },
    topology,
    settle: { allToAll: true },
    traffic: {},
    faults: {
      linkFailure: 0.01,
      linkRecovery: 0.02,
      controlFailure: 0.05,
      controlRecovery: 0.5,
      controllerFailure: 0.01,
      crashes: 1,
    },
    script: (net) => [untilQuiet(), crash('c1'), net.cutLink('s1', 's2')],
    pace: { roundMs: 50 },
    // A switch without a controller cannot repair its table: those that lose their channels have them back before.
    invariants: { blackholes: noBlackholes({ persist: live ? 30 : 'untilIdle' }), alive: controllersAlive() },
  }),
  { pace: 5 },
);

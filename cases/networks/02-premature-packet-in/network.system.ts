import { cut, heal, untilQuiet } from 'culprit';
import { controllersAlive, mesh, type NetworkMessage } from 'culprit/networks';
import { studySystem } from '../study.ts';

/** A controller that takes packets of switches whose handshake is not complete. */
export default studySystem(
  300,
  () => ({
    controllers: { c1: { app: 'paths', bug: 'early' } },
    topology: mesh(4),
    traffic: { pings: 0.25 },
    faults: { channelReset: 0.002, receiptDelay: 0.005, linkFailure: 0.005, linkRecovery: 0.09 },
    // The channel of s2 is blocked when its handshake is about to be completed. Frames of discovery reach s2 meanwhile.
    scriptTriggers: [
      {
        before: (event) =>
          event.kind === 'deliver' &&
          event.process === 's2' &&
          (event.message as NetworkMessage).type === 'barrier_request',
        do: cut('c1', 's2'),
      },
    ],
    script: () => [untilQuiet(), heal('c1', 's2')],
    invariants: { alive: controllersAlive() },
  }),
  { pace: 1 },
);

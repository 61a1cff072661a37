import { cut, heal, untilQuiet } from 'culprit';
import { controllersAlive, mesh, resetChannel } from 'culprit/networks';
import { studySystem } from '../study.ts';

/** A controller that takes packets of switches whose handshake is not complete. */
export default studySystem(100, () => ({
  controllers: { c1: { app: 'paths', bug: 'early' } },
  topology: mesh(4),
  traffic: { pings: 0.25 },
  faults: { channelReset: 0.002, receiptDelay: 0.005, linkFailure: 0.005, linkRecovery: 0.09 },
  script: () => [untilQuiet(), resetChannel('s2'), cut('c1', 's2'), untilQuiet(), heal('c1', 's2')],
  invariants: { alive: controllersAlive() },
}));

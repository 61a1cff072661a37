import { untilQuiet } from 'culprit';
import { controllersAlive, mesh, resetChannel } from 'culprit/networks';
import { studySystem } from '../study.ts';

const MAX = 30;

/** A controller that keeps the memory of switches that are gone. */
export default studySystem(
  300,
  () => ({
    controllers: { c1: { app: 'paths', bug: 'leak', given: { max: `${MAX}` } } },
    topology: mesh(2),
    pace: { roundMs: 25 },
    traffic: { pings: 0.9, udp: 0.9 },
    faults: { channelReset: 0.06 },
    script: () => [
      untilQuiet(),
      // Both switches have connected once.
      ...Array.from({ length: MAX - 2 }, (_, nth) => [resetChannel(`s${(nth % 2) + 1}`), untilQuiet()]).flat(),
    ],
    invariants: { alive: controllersAlive() },
  }),
  { pace: 1 },
);

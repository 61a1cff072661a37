import { untilQuiet } from 'culprit';
import { controllersAlive, mesh, resetChannel } from 'culprit/networks';
import { studySystem } from '../study.ts';

/** A controller that keeps the memory of switches that are gone. `max`: how many have connected when none is left. */
export default studySystem(
  400,
  ({ max }) => ({
    controllers: { c1: { app: 'paths', bug: 'leak', given: { max: `${max}` } } },
    topology: mesh(2),
    // Links are known before the first input.
    settle: { self: false },
    pace: { roundMs: 50 },
    traffic: { pings: 0.65, udp: 0.65 },
    faults: { channelReset: 0.05 },
    script: () => [
      untilQuiet(),
      // Both switches have connected once.
      ...Array.from({ length: max - 2 }, (_, nth) => [resetChannel(`s${(nth % 2) + 1}`), untilQuiet()]).flat(),
    ],
    invariants: { alive: controllersAlive() },
  }),
  { pace: 1, max: 30 },
);

import { mesh, switchesConnected } from 'culprit/networks';
import { studySystem } from '../study.ts';

const clustered = { app: 'cluster', bug: 'lock', store: 'store' } as const;

/** Both controllers enter both switches into their store, at the same time. */
export default studySystem(
  20,
  () => ({
    stores: ['store'],
    controllers: { c1: clustered, c2: clustered },
    topology: mesh(2),
    // A switch that is refused does not come back.
    switches: { connectTries: 1 },
    traffic: { pings: 0.08 },
    script: [],
    invariants: { connected: switchesConnected({ within: { ms: 2000 } }) },
  }),
  // Discovery has nothing to do with it.
  { pace: 1 },
);

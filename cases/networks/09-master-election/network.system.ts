import { crash, restart, untilQuiet } from 'culprit';
import { allPairsConnected, mesh } from 'culprit/networks';
import { drawsOnly, studySystem } from '../study.ts';

const clustered = {
  app: 'cluster',
  bug: 'election',
  store: 'store',
  // The ids of controllers are drawn, and the violation depends on them: a replay has to draw the same.
  options: { inside: drawsOnly },
} as const;

/** Each switch has a controller of its own, and one of the two is responsible for the link between the switches. */
export default studySystem(
  60,
  () => ({
    stores: ['store'],
    // The first ids. One that is drawn later is below that of c2 in nine of ten cases.
    controllers: { c1: { ...clustered, given: { id: '950' } }, c2: { ...clustered, given: { id: '900' } } },
    controllersOf: (name) => [name === 's1' ? 'c1' : 'c2'],
    topology: mesh(2),
    // Links are known before the first input.
    settle: { self: false, forMs: 1_500 },
    // A switch tries to connect again after a second.
    pace: { quietMs: 1500 },
    alsoCompare: { put: [], value: [], joined: [] },
    traffic: { pings: 0.3 },
    faults: { controllerFailure: 0.01, controllerRecovery: 0.5 },
    script: [untilQuiet({ withinMs: 3000 }), crash('c1'), restart('c1')],
    invariants: { connectivity: allPairsConnected({ persist: { ms: 2500 } }) },
  }),
  { pace: 10 },
);

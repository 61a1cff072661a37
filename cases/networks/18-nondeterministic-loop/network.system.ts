import { untilQuiet } from 'culprit';
import { controllersAlive, mesh, noLoops } from 'culprit/networks';
import { lasting, studySystem } from '../study.ts';

/** A controller that installs a loop in half of all executions, after six of the inputs. The other inputs make no difference. */
export default studySystem(
  100,
  (parameters) => ({
    controllers: { c1: { app: 'circle', bug: 'circle' } },
    topology: mesh(3),
    stations: { arp: false },
    pace: { roundMs: 25 },
    traffic: { pings: 0.15, udp: 0.5 },
    script: (net) => [untilQuiet(), net.allToAll()],
    invariants: { loops: noLoops(lasting(parameters)), alive: controllersAlive() },
  }),
  { pace: 1 },
);

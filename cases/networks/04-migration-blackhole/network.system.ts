import { untilQuiet } from 'culprit';
import { controllersAlive, mesh, noBlackholes } from 'culprit/networks';
import { lasting, studySystem } from '../study.ts';

/** A controller that does not notice when a station moves. */
export default studySystem(
  100,
  (parameters) => ({
    controllers: { c1: { app: 'paths', bug: 'migrate' } },
    topology: mesh(4),
    // Links are known before the first input: each port is probed once a second.
    settle: { self: false, forMs: 2_000 },
    migrations: true,
    pace: { roundMs: 30 },
    traffic: { pings: 0.2, migrations: 0.005 },
    script: (net) => [
      untilQuiet(),
      net.ping('h1', 'h2'),
      untilQuiet(),
      net.migrate('h1', 's3'),
      untilQuiet(),
      net.ping('h2', 'h1'),
    ],
    invariants: { blackholes: noBlackholes(lasting(parameters)), alive: controllersAlive() },
  }),
  { pace: 5 },
);

import { controller, controllersAlive, defineNetwork, mesh, noStorm } from 'culprit/networks';
import { testcontroller } from './testcontroller.ts';

/** Three switches, each joined to the others: a packet that is flooded comes back. */
export default defineNetwork({
  controllers: { c1: controller(testcontroller) },
  topology: mesh(3),
  rounds: 40,
  traffic: { pings: 0.08 },
  invariants: { storm: noStorm({ copies: 20 }), alive: controllersAlive() },
});

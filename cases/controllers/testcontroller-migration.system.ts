import { controller, controllersAlive, defineNetwork, linear, noBlackholes } from 'culprit/networks';
import { testcontroller } from './testcontroller.ts';

/** Two switches in a row, each with a station. Stations send pings, and move. */
export default defineNetwork({
  controllers: { c1: controller(testcontroller) },
  topology: linear(2),
  migrations: true,
  rounds: 40,
  traffic: { pings: 0.15, migrations: 0.03 },
  invariants: { blackholes: noBlackholes({ persist: 3 }), alive: controllersAlive() },
});

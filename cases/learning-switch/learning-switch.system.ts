import { defineSystem } from 'culprit';
import { defineNetwork, linear } from 'culprit/networks';
import { learningSwitch } from './learning-switch.ts';
import { noBlackholes } from './no-blackholes.ts';

/** Two switches in a row, and a controller that does not notice when a station moves, unless it `forgets`. */
export default defineSystem(
  { forgets: false, switches: 2, items: 12, partitions: 0 },
  ({ forgets, switches, items, partitions }) =>
    defineNetwork({
      topology: linear(switches),
      controllers: { c1: learningSwitch({ forgets }) },
      migrations: true,
      traffic: (net) => [net.random(items, { pings: 3, migrations: 1 })],
      faults: { partitions },
      invariants: { noBlackholes },
    }),
);

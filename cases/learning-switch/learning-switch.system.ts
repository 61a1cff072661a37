import { defineSystem, untilQuiet } from 'culprit';
import { defineNetwork, linear, noBlackholes } from 'culprit/networks';
import { learningSwitch } from './learning-switch.ts';

const parameters = { forgets: false, switches: 2, items: 12, isScripted: false, partitions: 0 };

/** Switches in a row, and a controller that does not notice when a station moves, unless it `forgets`. */
export default defineSystem(parameters, ({ forgets, switches, items, isScripted, partitions }) =>
  defineNetwork({
    topology: linear(switches),
    controllers: { c1: learningSwitch({ forgets }) },
    migrations: true,
    traffic: (net) =>
      isScripted
        ? [net.ping('h1', 'h2'), untilQuiet(), net.ping('h2', 'h1'), untilQuiet(), net.migrate('h1', 's2')]
        : [net.random(items, { pings: 3, migrations: 1 })],
    faults: { partitions },
    invariants: { noBlackholes: noBlackholes({ persist: 'untilIdle' }) },
  }),
);

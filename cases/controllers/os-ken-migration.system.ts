import { defineSystem } from 'culprit';
import { controller, controllersAlive, defineNetwork, linear, noBlackholes } from 'culprit/networks';

/** The same network under os-ken with a learning switch of ours. `forgets`: without its bug. */
export default defineSystem({ forgets: false }, ({ forgets }) =>
  defineNetwork({
    controllers: {
      c1: controller('osken-manager --ofp-tcp-listen-port $port --ofp-listen-host $address learning_switch.py', {
        cwd: import.meta.dirname,
        // Python would write a compiled file beside the app.
        env: { FORGETS: forgets ? '1' : '0', PYTHONDONTWRITEBYTECODE: '1' },
      }),
    },
    topology: linear(2),
    migrations: true,
    rounds: 40,
    traffic: { pings: 0.15, migrations: 0.03 },
    invariants: { blackholes: noBlackholes({ persist: 3 }), alive: controllersAlive() },
  }),
);

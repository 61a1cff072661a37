import type { Package } from './manifest.ts';
import { commandCode } from './starter-command.ts';
import { systemExtension, type StarterFile } from './starter.ts';

/** Open vSwitch's controller, which every machine with its package has. */
const TESTCONTROLLER = ['ovs-testcontroller', '--unixctl=$dir/ctl', 'ptcp:$port:$address'];

/** The file of a network whose controller is this program; without words, that of Open vSwitch. */
export function networkStarter(owner: Package, folder: string, words: readonly string[]): StarterFile {
  const extension = systemExtension(owner);
  const command = commandCode(folder, words.length === 0 ? TESTCONTROLLER : words, extension.endsWith('ts'));
  return {
    name: `network.system.${extension}`,
    text: `${command.imports}import { controller, controllersAlive, defineNetwork, linear, noBlackholes, noLoops } from 'culprit/networks';
${command.helper}
export default defineNetwork({
  // It has to listen for OpenFlow 1.0 at $address and $port; $dir is a folder of its own.
  controllers: { c1: controller(${command.words}) },
  topology: linear(2), // or mesh(3), ring(4), topologyFrom(…)
  migrations: true,
  // How likely a station sends a ping, or moves, in a round of 100 ms.
  rounds: 40,
  traffic: { pings: 0.15, migrations: 0.03 },
  // What lasts for less than three rounds does not count.
  invariants: { loops: noLoops({ persist: 3 }), blackholes: noBlackholes({ persist: 3 }), alive: controllersAlive() },
});
`,
  };
}

import { join } from 'node:path';
import { nodeController } from './node-controller.ts';

const learningSwitch = join(import.meta.dirname, '../../cases/controllers/learning_switch.py');

/** Python writes no compiled copy beside the app. */
const osKen = 'env PYTHONDONTWRITEBYTECODE=1 osken-manager --ofp-tcp-listen-port $port --ofp-listen-host $address';

/** The commands of learning switches, in three languages. */
export const learningControllers: Readonly<Record<string, readonly string[]>> = {
  'ovs-testcontroller': ['ovs-testcontroller', '--unixctl=$dir/ctl', 'ptcp:$port:$address'],
  'os-ken': [...osKen.split(' '), learningSwitch],
  Node: nodeController,
};

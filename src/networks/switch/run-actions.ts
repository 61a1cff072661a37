import type { Hex } from '../bytes/data.ts';
import type { Action, PhyPort, Port } from '../openflow/messages.ts';
import { withField } from './set-field.ts';

/** A packet that leaves the actions: through a physical port, to the switch's own stack, a controller, or the table. */
export type SwitchOutput =
  | {
      /** Where it goes: `table` looks it up again. */
      readonly port: number | 'local' | 'table';
      /** As the actions before this one left it, as hexadecimal text. */
      readonly packet: Hex;
    }
  | {
      readonly port: 'controller';
      /** How many bytes the controller gets, if the switch keeps the packet. */
      readonly maxLen: number;
      readonly packet: Hex;
    };

/** A port, as far as the actions know it. */
export type ActionPort = Pick<PhyPort, 'portNo' | 'config' | 'state'>;

/** Runs actions in their order; those that change the packet matter for outputs after them. */
export function runActions(
  actions: readonly Action[],
  packet: Hex,
  inPort: Port,
  ports: readonly ActionPort[],
): SwitchOutput[] {
  const outputs: SwitchOutput[] = [];
  let bytes: Buffer = Buffer.from(packet, 'hex');
  for (const action of actions) {
    switch (action.type) {
      case 'vendor':
        throw new Error('actions of vendors are refused before they are run');
      case 'output':
      case 'enqueue':
        // Without queues of its own, the port takes the packet at once.
        outputs.push(...outputsTo(action, bytes.toString('hex'), inPort, ports));
        break;
      default:
        bytes = withField(bytes, action);
    }
  }
  return outputs;
}

type OutputAction = Extract<Action, { type: 'output' | 'enqueue' }>;

function outputsTo(action: OutputAction, packet: Hex, inPort: Port, ports: readonly ActionPort[]): SwitchOutput[] {
  const through = (isOut: (port: ActionPort) => boolean): SwitchOutput[] =>
    ports.flatMap((port) =>
      typeof port.portNo === 'number' && isOut(port) && forwards(port) ? [{ port: port.portNo, packet }] : [],
    );
  const { port } = action;
  switch (port) {
    case 'in_port':
      return inPort === 'local' ? [{ port: inPort, packet }] : through(({ portNo }) => portNo === inPort);
    case 'flood':
      return through(({ portNo, config }) => portNo !== inPort && !config.includes('no_flood'));
    case 'all':
      return through(({ portNo }) => portNo !== inPort);
    case 'controller':
      return [{ port, maxLen: action.type === 'output' ? action.maxLen : 0, packet }];
    case 'table':
      return [{ port, packet }];
    case 'local':
      return inPort === port ? [] : [{ port, packet }];
    case 'normal':
    case 'none':
      return [];
    default:
      // A packet never leaves through the port where it came in, except by `in_port`.
      return port === inPort ? [] : through(({ portNo }) => portNo === port);
  }
}

const forwards = ({ config, state }: ActionPort): boolean =>
  !config.includes('no_fwd') && !config.includes('port_down') && !state.includes('link_down');

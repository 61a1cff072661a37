import type { Hex } from '../bytes/data.ts';
import type { Port } from '../openflow/messages.ts';
import type { FlowEntry } from '../switch/flow-table.ts';
import type { Cube } from './cube.ts';
import { exampleFrame } from './example-frame.ts';
import { IN_PORT } from './fields.ts';
import type { Hop } from './hops.ts';
import type { ValueSet } from './value-set.ts';

/** One switch on the path of a packet, as plain data. */
export interface PathHop {
  /** The name of the switch. */
  readonly switch: string;
  /** The port at which the packet arrives. */
  readonly inPort: Port;
  /** The flow entry that the packet matches. */
  readonly entry: Pick<FlowEntry, 'match' | 'priority' | 'actions' | 'cookie'>;
  /** The port through which it leaves. */
  readonly outPort: number;
}

/** A packet, and the path that it takes. */
export interface PacketPath {
  /** One packet with such headers, as hexadecimal text. */
  readonly packet: Hex;
  /** The switches that it crosses, in this order. */
  readonly path: readonly PathHop[];
}

/** An example of headers on their way. */
export function packetPath(headers: Cube, hops: readonly Hop[]): PacketPath {
  const packet = exampleFrame(headers);
  let [inPort] = headers[IN_PORT] as readonly [number, ...ValueSet];
  const path: PathHop[] = [];
  for (const { at, rule, outPort } of hops) {
    const { match, priority, actions, cookie } = rule.entry;
    path.push({ switch: at.name, inPort, entry: { match, priority, actions, cookie }, outPort });
    const peer = at.ports.get(outPort)?.peer;
    if (peer?.kind === 'switch') inPort = peer.port;
  }
  return { packet, path };
}

import { buildFrame, flowMod, output, packetOut, parseFrame, type Message } from 'culprit/networks';
import type { AnyBehavior } from 'culprit/kernel';
import { ticking, type Box } from '../ticking.ts';

export interface BlackBoxOptions {
  /** How long it takes to answer. */
  readonly answerMs?: number;
  /** How often it asks switches for an echo, and sends LLDP packets out of their ports; never if left out. */
  readonly keepaliveMs?: number;
  /** Called when it gets an LLDP packet, or an answer to an echo. */
  readonly onKeepalive?: (box: Box) => void;
  /** Called when it gets a message of another type. */
  readonly onMessage?: (box: Box, message: Message, from: string) => void;
  /** MAC addresses of stations whose packets switches are to drop. */
  readonly drops?: readonly string[];
}

/** A packet that discovers a link; no two are equal. */
const lldp = (name: string, port: number, serial: number): string =>
  buildFrame({
    dlDst: '01:80:c2:00:00:0e',
    dlSrc: '12:34:56:78:90:ab',
    dlType: 0x88cc,
    payload: {
      kind: 'lldp',
      chassisId: { subtype: 7, id: Buffer.from(name).toString('hex') },
      portId: { subtype: 7, id: port.toString(16).padStart(2, '0') },
      ttl: 120,
      tlvs: [{ type: 127, value: serial.toString(16).padStart(8, '0') }],
    },
  });

/**
 * A controller that acts by itself, in its own time: it learns where stations are and never forgets, answers after a while, discovers links
 * and asks for echoes. Cookies, transaction numbers and LLDP packets differ from session to session.
 */
export function blackBoxController(options: BlackBoxOptions = {}): AnyBehavior {
  const { answerMs = 5, keepaliveMs, onKeepalive, onMessage, drops = [] } = options;
  const learned = new WeakMap<Box, Map<string, number>>();
  const tell = (box: Box, to: string, message: Message): void =>
    box.send(to, { ...message, xid: box.dice.below(1_000_000) });

  const keepAlive = (box: Box, name: string, ports: readonly number[]): void => {
    tell(box, name, { type: 'echo_request', xid: 0, data: '' });
    for (const port of ports) {
      const data = lldp(name, port, box.dice.below(1_000_000));
      tell(box, name, packetOut({ bufferId: 'none', inPort: 'none', data }, [output(port)]));
    }
    box.after(keepaliveMs as number, () => keepAlive(box, name, ports));
  };

  const learn = (box: Box, name: string, packet: Extract<Message, { type: 'packet_in' }>): void => {
    const frame = parseFrame(packet.data);
    if (frame === undefined || typeof packet.inPort !== 'number') return;
    const ports = learned.get(box) as Map<string, number>;
    ports.set(`${name} ${frame.dlSrc}`, packet.inPort);
    const port = ports.get(`${name} ${frame.dlDst}`);
    if (port === undefined || port === packet.inPort) return tell(box, name, packetOut(packet, [output('flood')]));
    const match = { dlSrc: frame.dlSrc, dlDst: frame.dlDst };
    const cookie = box.dice.below(1_000_000);
    tell(box, name, flowMod({ match, actions: [output(port)], cookie, bufferId: packet.bufferId }));
  };

  const connect = (box: Box, name: string, ports: readonly number[]): void => {
    for (const dlSrc of drops) tell(box, name, flowMod({ match: { dlSrc }, actions: [], priority: 9 }));
    if (keepaliveMs !== undefined) box.after(keepaliveMs, () => keepAlive(box, name, ports));
  };

  return ticking({
    start: (box) => void learned.set(box, new Map()),
    receive(box, given, from) {
      const message = given as Message;
      const isDiscovery = message.type === 'packet_in' && parseFrame(message.data)?.dlType === 0x88cc;
      if (isDiscovery || message.type === 'echo_reply') return onKeepalive?.(box);
      onMessage?.(box, message, from);
      if (message.type === 'hello') {
        box.send(from, message);
        tell(box, from, { type: 'features_request', xid: 0 });
      }
      if (message.type === 'features_reply') {
        const ports = message.ports.flatMap(({ portNo }) => (typeof portNo === 'number' ? [portNo] : []));
        connect(box, from, ports);
      }
      if (message.type === 'packet_in') box.after(answerMs, () => learn(box, from, message));
    },
    view: () => ({}),
  });
}

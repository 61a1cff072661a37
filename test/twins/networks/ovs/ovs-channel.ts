import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import { Decoder, flowMod, openflow10, type FlowStats, type Message, type PacketOut } from 'culprit/networks';

/** An entry for no packet, with a priority that no other has. */
const lastEntry = flowMod({ xid: 4, match: { inPort: 0xfe00 }, priority: 65534, flags: ['send_flow_rem'] });

/** A packet for the controller that no other is equal to. */
const lastPacket: PacketOut = {
  type: 'packet_out',
  xid: 5,
  bufferId: 'none',
  inPort: 'none',
  actions: [{ type: 'output', port: 'controller', maxLen: 0xffff }],
  data: 'ffffffffffffffffffffffff88b5',
};

/** The channel of a controller to Open vSwitch. */
export class OvsChannel {
  private readonly received: Message[] = [];
  private readonly decoder = new Decoder(openflow10);
  private arrived: () => void = () => {};
  private problem: Error | undefined;

  private constructor(private readonly socket: Socket) {
    socket.on('data', (chunk) => {
      for (const one of this.decoder.push(chunk)) {
        if (one.kind === 'message') this.received.push(one.message);
        else this.problem = new Error(`Open vSwitch sent a message that is ${one.kind}: ${one.reason}`);
      }
      this.arrived();
    });
    socket.on('close', () => {
      this.problem ??= new Error('Open vSwitch closed the channel');
      this.arrived();
    });
  }

  static async connect(path: string): Promise<OvsChannel> {
    const socket = createConnection({ path });
    const channel = new OvsChannel(socket);
    await once(socket, 'connect');
    await channel.exchange([
      { type: 'hello', xid: 1, version: 1, elements: '' },
      { type: 'set_config', xid: 2, flags: [], missSendLen: 0xffff },
    ]);
    return channel;
  }

  /** Sends messages, and returns what the switch has sent when they are done. Packets and removed entries may come later. */
  async exchange(messages: readonly Message[]): Promise<Message[]> {
    for (const message of messages) this.socket.write(openflow10.encode(message));
    this.socket.write(openflow10.encode({ type: 'barrier_request', xid: 0 }));
    await this.until(({ type }) => type === 'barrier_reply');
    return this.received.splice(0).filter(({ type }) => type !== 'hello');
  }
  /**
   * Returns what the switch still sends about messages before this: at least this many messages. It reports packets in their
   * order, and removed entries some time after their removal: one more of both is made, and awaited.
   */
  async settled(count: number): Promise<Message[]> {
    const messages = await this.exchange([lastPacket, lastEntry, { ...lastEntry, command: 'delete_strict' }]);
    this.received.unshift(...messages);
    await this.until((message) => message.type === 'flow_removed' && message.priority === lastEntry.priority);
    await this.until((message) => message.type === 'packet_in' && message.data === lastPacket.data);
    while (this.received.length < count) await this.arrival();
    return this.received.splice(0);
  }

  /** The flow entries. */
  async flows(): Promise<readonly FlowStats[]> {
    const replies = await this.exchange([
      { type: 'stats_request', xid: 3, flags: [], stats: 'flow', match: {}, tableId: 0xff, outPort: 'none' },
    ]);
    this.received.push(...replies.filter(({ type }) => type !== 'stats_reply'));
    return replies.flatMap((reply) => (reply.type === 'stats_reply' && reply.stats === 'flow' ? reply.flows : []));
  }

  close(): void {
    this.socket.removeAllListeners('close');
    this.socket.destroy();
  }

  /** Takes the first such message away when it has arrived. */
  private async until(isAwaited: (message: Message) => boolean): Promise<void> {
    for (;;) {
      const at = this.received.findIndex(isAwaited);
      if (at !== -1) {
        this.received.splice(at, 1);
        return;
      }
      await this.arrival();
    }
  }

  private async arrival(): Promise<void> {
    if (this.problem === undefined) await new Promise<void>((resolve) => (this.arrived = resolve));
    if (this.problem !== undefined) throw this.problem;
  }
}

import { connect, type Socket } from 'node:net';
import { Decoder } from '../openflow/decoder.ts';
import type { FeaturesReply, FlowStats, Message, PhyPort } from '../openflow/messages.ts';
import { openflow10 } from '../openflow/openflow10.ts';

/** A switch that does not answer for so long is busy: what was known of it stays. */
const ANSWER_MS = 2_000;

/** What is known of a switch. */
export interface KnownSwitch {
  readonly flows: readonly FlowStats[];
  readonly ports: readonly PhyPort[];
}

/** A channel of OpenFlow by which culprit looks at a switch, and takes its ports down, as an administrator does. No message of it is an event. */
export class ManagementChannel {
  private readonly decoder = new Decoder(openflow10);
  /** The answers to the last question. */
  private received: Message[] = [];
  /** Counts questions: the answer to one that was given up must not be taken for that to a later one. */
  private xid = 0;
  private wake: () => void = () => undefined;

  private constructor(private readonly socket: Socket) {
    socket.on('data', (chunk) => {
      const messages = this.decoder.push(chunk).flatMap((one) => (one.kind === 'message' ? [one.message] : []));
      this.received.push(...messages.filter(({ xid }) => xid === this.xid));
      this.wake();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => this.wake());
  }

  /** Undefined if the switch does not listen there yet. */
  static async open(path: string): Promise<ManagementChannel | undefined> {
    const socket = connect({ path });
    const isOpen = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true));
      socket.once('error', () => resolve(false));
    });
    if (!isOpen) return undefined;
    const channel = new ManagementChannel(socket);
    channel.write({ type: 'hello', xid: 0, version: openflow10.version, elements: '' });
    return channel;
  }

  /** The entries and the ports of the switch; undefined if it does not answer. */
  async look(): Promise<KnownSwitch | undefined> {
    const all = { match: {}, tableId: 0xff, outPort: 'none' } as const;
    const answers = await this.ask(
      { type: 'stats_request', xid: 0, flags: [], stats: 'flow', ...all },
      { type: 'features_request', xid: 0 },
    );
    if (answers === undefined) return undefined;
    return {
      flows: answers.flatMap((one) => (one.type === 'stats_reply' && one.stats === 'flow' ? one.flows : [])),
      ports: answers.filter((one): one is FeaturesReply => one.type === 'features_reply').flatMap(({ ports }) => ports),
    };
  }

  /** Takes a port up or down. */
  async setPort({ portNo, hwAddr }: Pick<PhyPort, 'portNo' | 'hwAddr'>, isUp: boolean): Promise<void> {
    const config = isUp ? [] : (['port_down'] as const);
    await this.ask({ type: 'port_mod', xid: 0, portNo, hwAddr, config, mask: ['port_down'], advertise: [] });
  }

  /** What the switch has sent when these messages are done. */
  private async ask(...messages: readonly Message[]): Promise<readonly Message[] | undefined> {
    this.received = [];
    this.xid += 1;
    for (const message of [...messages, { type: 'barrier_request', xid: 0 } as const])
      this.write({ ...message, xid: this.xid });
    const untilMs = performance.now() + ANSWER_MS;
    while (!this.received.some(({ type }) => type === 'barrier_reply')) {
      const leftMs = untilMs - performance.now();
      if (this.socket.destroyed || leftMs <= 0) return undefined;
      await this.arrival(leftMs);
    }
    return this.received;
  }

  private async arrival(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  private write(message: Message): void {
    if (this.socket.writable) this.socket.write(openflow10.encode(message));
  }

  close(): void {
    this.socket.destroy();
  }
}

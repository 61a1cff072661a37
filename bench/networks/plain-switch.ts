import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Decoder, openflow10, type Message, type PhyPort } from 'culprit/networks';

const [ADDRESS, PORT] = ['127.0.0.1', 16_653];

const portNumbered = (portNo: number): PhyPort => ({
  portNo,
  hwAddr: `12:34:56:78:01:0${portNo}`,
  name: `port${portNo}`,
  config: [],
  state: [],
  curr: [],
  advertised: [],
  supported: [],
  peer: [],
});

/** Starts a controller, lets a plain client use it that speaks for a switch, and ends it. */
export async function withController<T>(
  command: readonly string[],
  use: (client: PlainSwitch) => Promise<T>,
): Promise<T> {
  const dir = mkdtempSync(join(tmpdir(), 'bench-controller-'));
  const values: Readonly<Record<string, string>> = { $address: ADDRESS, $port: String(PORT), $dir: dir };
  const [file = '', ...args] = command.map((word) =>
    word.replaceAll(/\$(?:address|port|dir)/g, (name) => values[name] ?? name),
  );
  const child = spawn(file, args, { stdio: 'ignore', cwd: dir });
  const ended = once(child, 'exit');
  try {
    const client = await PlainSwitch.connected(ended);
    return await use(client).finally(() => client.close());
  } finally {
    child.kill('SIGKILL');
    await ended;
    rmSync(dir, { recursive: true, force: true });
  }
}

/** A client that speaks for a switch with two ports, and does nothing with what it gets. */
export class PlainSwitch {
  private readonly decoder = new Decoder(openflow10);
  /** Awaited messages, by type. */
  private readonly awaited = new Map<string, () => void>();

  private constructor(private readonly socket: Socket) {
    socket.setNoDelay(true).on('data', (chunk) => {
      for (const received of this.decoder.push(chunk)) if (received.kind === 'message') this.take(received.message);
    });
  }

  /** Connects as soon as the controller listens, and does the handshake. */
  static async connected(ended: Promise<unknown>): Promise<PlainSwitch> {
    let isOver = false;
    void ended.then(() => (isOver = true));
    while (!isOver) {
      const socket = connect(PORT, ADDRESS);
      const isOpen = await new Promise<boolean>((resolve) =>
        socket.once('connect', () => resolve(true)).once('error', () => resolve(false)),
      );
      if (!isOpen) {
        await delay(20);
        continue;
      }
      const client = new PlainSwitch(socket);
      const asked = client.next('features_request');
      client.send({ type: 'hello', xid: 1, version: 1, elements: '' });
      await asked;
      return client;
    }
    throw new Error('bench: the controller ended');
  }

  send(message: Message): void {
    this.socket.write(openflow10.encode(message));
  }

  /** Resolves when a message of this type arrives. */
  next(type: Message['type']): Promise<void> {
    return new Promise((resolve) => this.awaited.set(type, resolve));
  }

  private take(message: Message): void {
    const { type, xid } = message;
    if (type === 'features_request') this.send(features(xid));
    if (type === 'barrier_request') this.send({ type: 'barrier_reply', xid });
    if (type === 'echo_request') this.send({ type: 'echo_reply', xid, data: message.data });
    if (type === 'get_config_request') this.send({ type: 'get_config_reply', xid, flags: [], missSendLen: 128 });
    this.awaited.get(type)?.();
    this.awaited.delete(type);
  }

  close(): void {
    this.socket.destroy();
  }
}

const features = (xid: number): Message => ({
  type: 'features_reply',
  xid,
  datapathId: 1,
  nBuffers: 256,
  nTables: 1,
  capabilities: [],
  actions: ['output'],
  ports: [1, 2].map(portNumbered),
});

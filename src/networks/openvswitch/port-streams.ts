import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { CulpritError } from '../../error.ts';
import type { Hex } from '../bytes/data.ts';
import { portSocket } from './ovs-script.ts';

/** The longest path of a socket that Linux allows. */
const PATH_BYTES_MAX = 107;

/** A frame is preceded by its length. */
const LENGTH_BYTES = 2;

/** The links of a switch, as streams of frames: culprit has the other end of each. */
export class PortStreams {
  private readonly servers: Server[] = [];
  private readonly sockets = new Map<number, Socket>();

  private constructor(
    private readonly ports: readonly number[],
    private readonly left: (port: number, packet: Hex) => void,
  ) {}

  /** Listens for the ports of a switch with this folder. `left` takes the frames that leave through a port. */
  static async listen(
    dir: string,
    ports: readonly number[],
    left: (port: number, packet: Hex) => void,
  ): Promise<PortStreams> {
    const streams = new PortStreams(ports, left);
    try {
      for (const port of ports) await streams.listenFor(port, join(dir, portSocket(port)));
    } catch (error) {
      await streams.close();
      throw error;
    }
    return streams;
  }

  private async listenFor(port: number, path: string): Promise<void> {
    if (Buffer.byteLength(path) > PATH_BYTES_MAX) throw new LongPath(path);
    const server = createServer((socket) => this.connected(port, socket));
    this.servers.push(server);
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(path, resolve);
    });
  }

  private connected(port: number, socket: Socket): void {
    let unread = Buffer.alloc(0);
    this.sockets.set(port, socket);
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      unread = Buffer.concat([unread, chunk]);
      for (let end = endOfFrame(unread); end !== undefined; end = endOfFrame(unread)) {
        this.left(port, unread.toString('hex', LENGTH_BYTES, end));
        unread = unread.subarray(end);
      }
    });
  }

  /** Whether the switch has connected all of its ports. */
  get areConnected(): boolean {
    return this.ports.every((port) => this.sockets.has(port));
  }

  /** A frame arrives at a port. */
  write(port: number, packet: Hex): void {
    const bytes = Buffer.from(packet, 'hex');
    const length = Buffer.alloc(LENGTH_BYTES);
    length.writeUInt16BE(bytes.length);
    const socket = this.sockets.get(port);
    if (socket?.writable === true) socket.write(Buffer.concat([length, bytes]));
  }

  async close(): Promise<void> {
    for (const socket of this.sockets.values()) socket.destroy();
    for (const server of this.servers) await new Promise((resolve) => server.close(resolve));
  }
}

/** Where the first frame ends; undefined if it is not complete. */
function endOfFrame(unread: Buffer): number | undefined {
  if (unread.length < LENGTH_BYTES) return undefined;
  const end = LENGTH_BYTES + unread.readUInt16BE(0);
  return end > unread.length ? undefined : end;
}

/** The folder of the session lies too deep. */
class LongPath extends CulpritError {
  readonly code = 'LONG_PATH';

  constructor(path: string) {
    super(
      `a port of Open vSwitch needs a socket at ${path}, and the path of a socket has at most ${PATH_BYTES_MAX} bytes.`,
      'Say where programs may have their folders: TMPDIR=…, or --keep <folder>',
    );
  }
}

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url));

/** A real Redis on this machine, and worker processes. All of them end with `end`. */
export class FleetOnLoopback {
  private readonly folder = mkdtempSync(join(tmpdir(), 'culprit-fleet-'));
  private readonly children = new Set<ChildProcess>();
  private broker: ChildProcess | undefined;

  private constructor(
    private readonly server: string,
    private readonly port: number,
    private readonly options: readonly string[],
  ) {}

  /** `server` is the path of redis-server; later options take the place of earlier ones. */
  static async start(server: string, ...options: readonly string[]): Promise<FleetOnLoopback> {
    const fleet = new FleetOnLoopback(server, await freePort(), options);
    await fleet.startBroker();
    return fleet;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  /** The process of the broker. */
  get brokerPid(): number | undefined {
    return this.broker?.pid;
  }

  /** Starts the broker, again if it was killed, and waits until it listens. */
  async startBroker(): Promise<void> {
    const place = ['--bind', '127.0.0.1', '--port', String(this.port), '--dir', this.folder, '--save', ''];
    const safe = ['--appendonly', 'yes', '--maxmemory-policy', 'noeviction'];
    const broker = (this.broker = this.child(this.server, [...place, ...safe, ...this.options]));
    while (!(await isListening(this.port))) {
      if (broker.exitCode !== null) throw new Error(`redis-server ended with ${broker.exitCode}`);
      await setTimeout(20);
    }
  }

  /** `kill -9` of the broker. */
  async killBroker(): Promise<void> {
    if (this.broker !== undefined) await killed(this.broker);
  }

  /** Starts a worker, and waits until it has said that it is there. */
  async startWorker(threads = 1): Promise<ChildProcess> {
    const worker = this.child(process.execPath, [main, 'worker', this.url, '--workers', String(threads)]);
    await new Promise<void>((resolve, reject) => {
      worker.stdout?.on('data', (text: Buffer) => void (text.includes('broker') && resolve()));
      worker.once('exit', (code) => reject(new Error(`the worker ended with ${code}`)));
    });
    return worker;
  }

  async end(): Promise<void> {
    await Promise.all([...this.children].map(killed));
    rmSync(this.folder, { recursive: true, force: true });
  }

  private child(command: string, args: readonly string[]): ChildProcess {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    this.children.add(child);
    child.once('exit', () => this.children.delete(child));
    return child;
  }
}

/** `kill -9`, and the end of the process. */
export async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const answer = (is: boolean) => (): void => {
      socket.destroy();
      resolve(is);
    };
    socket.once('connect', answer(true)).once('error', answer(false));
  });
}

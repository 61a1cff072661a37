import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { packetsOfPcap } from 'culprit/networks';
import { OvsChannel } from './ovs-channel.ts';

/** The numbers of the ports of every bridge. */
export const bridgePorts = [1, 2, 3, 4] as const;

/** Its threads run after each of these. */
const STEP_MS = 100;

const SCHEMA = '/usr/share/openvswitch/vswitch.ovsschema';
/** Debian's Open vSwitch. */
const programs = {
  server: '/usr/sbin/ovsdb-server',
  switch: '/usr/sbin/ovs-vswitchd',
  database: '/usr/bin/ovsdb-tool',
  settings: '/usr/bin/ovs-vsctl',
  control: '/usr/bin/ovs-appctl',
};

/** Open vSwitch in its dummy mode: without root, the kernel or a network, in a folder of its own. Its clock stands still. */
export class OpenVSwitch {
  private bridges = 0;

  private constructor(
    private readonly folder: string,
    private readonly children: readonly ChildProcess[],
  ) {}

  static async start(): Promise<OpenVSwitch> {
    const folder = mkdtempSync(join(tmpdir(), 'culprit-ovs-'));
    const env = { ...process.env, OVS_RUNDIR: folder, OVS_LOGDIR: folder, OVS_DBDIR: folder, OVS_SYSCONFDIR: folder };
    const children: ChildProcess[] = [];
    const ovs = new OpenVSwitch(folder, children);
    const begin = (program: string, ...args: readonly string[]): ChildProcess => {
      const child = spawn(program, args, { env, stdio: 'ignore' });
      children.push(child);
      return child;
    };
    try {
      execFileSync(programs.database, ['create', join(folder, 'conf.db'), SCHEMA]);
      const socket = `unix:${join(folder, 'db.sock')}`;
      const paths = (name: string): string[] => [`--unixctl=${join(folder, name)}`, '--no-chdir'];
      const server = begin(programs.server, join(folder, 'conf.db'), `--remote=p${socket}`, ...paths('db.ctl'));
      await appears(join(folder, 'db.sock'), server);
      ovs.set('--no-wait', 'init');
      const dummy = ['--enable-dummy=override', '--disable-system'];
      const daemon = begin(programs.switch, ...dummy, ...paths('switch.ctl'), socket);
      await appears(join(folder, 'switch.ctl'), daemon);
      ovs.control('time/stop');
      return ovs;
    } catch (error) {
      await ovs.close();
      throw error;
    }
  }

  /** A new bridge with four ports and no flow entry. */
  async addBridge(): Promise<OvsBridge> {
    const name = `br${++this.bridges}`;
    const pcap = (port: number): string => join(this.folder, `${name}-${port}.pcap`);
    const ports = bridgePorts.map(
      (port) =>
        `-- add-port ${name} ${name}p${port} -- set interface ${name}p${port} type=dummy ` +
        `ofport_request=${port} options:tx_pcap=${pcap(port)}`,
    );
    const bridge = `add-br ${name} -- set bridge ${name} datapath-type=dummy fail-mode=secure protocols=OpenFlow10`;
    this.set(...[bridge, ...ports].join(' ').split(' '));
    const channel = await OvsChannel.connect(join(this.folder, `${name}.mgmt`));
    return {
      name,
      channel,
      sentThrough: (port) => packetsOfPcap(readFileSync(pcap(port))).map(({ packet }) => packet),
    };
  }

  /** Deletes a bridge, which would cost time later. */
  removeBridge(bridge: OvsBridge): void {
    bridge.channel.close();
    this.set('del-br', bridge.name);
  }

  /** Entries may expire up to a second late. */
  passTime(ms: number): void {
    this.control('time/warp', String(ms), String(STEP_MS));
  }

  /** Limits how many flow entries the bridge has. */
  limitEntries(bridge: OvsBridge, count: number): void {
    const table = `-- --id=@table create flow_table flow_limit=${count}`;
    this.set(...`${table} -- set bridge ${bridge.name} flow_tables:0=@table`.split(' '));
  }

  /** What the bridge would do with a packet that arrives at a port: the text of `ofproto/trace`, and the actions in it. */
  trace({ name }: OvsBridge, port: number, packet: string): { readonly text: string; readonly actions: string } {
    const text = this.control('ofproto/trace', name, `in_port=${port}`, packet);
    return { text, actions: /^Datapath actions: (.*)$/m.exec(text)?.[1] ?? '' };
  }

  /** The ports of the bridge, by their numbers in the datapath. */
  datapathPorts({ name }: OvsBridge): Map<number, number> {
    const shown = this.control('dpif/show');
    const ports = [...shown.matchAll(new RegExp(`${name}p\\d+ (\\d+)/(\\d+):`, 'g'))];
    return new Map(ports.map(([, port, number]) => [Number(number), Number(port)]));
  }

  async close(): Promise<void> {
    for (const child of this.children.toReversed()) {
      if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) continue;
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    }
    rmSync(this.folder, { recursive: true, force: true });
  }

  private set(...args: readonly string[]): void {
    execFileSync(programs.settings, [`--db=unix:${join(this.folder, 'db.sock')}`, ...args], { stdio: 'pipe' });
  }

  private control(...args: readonly string[]): string {
    const socket = join(this.folder, 'switch.ctl');
    return execFileSync(programs.control, ['-t', socket, ...args], { stdio: 'pipe', encoding: 'latin1' });
  }
}

export interface OvsBridge {
  readonly name: string;
  readonly channel: OvsChannel;
  /** The packets that have left through this port, as hexadecimal text. */
  sentThrough(port: number): string[];
}

/** Waits until a program has made its socket. */
async function appears(path: string, child: ChildProcess): Promise<void> {
  let problem: Error | undefined;
  child.on('error', (error) => (problem = error));
  while (!existsSync(path)) {
    if (problem !== undefined) throw problem;
    if (child.exitCode !== null) throw new Error(`${child.spawnfile} ended with ${child.exitCode}`);
    await sleep(10);
  }
}

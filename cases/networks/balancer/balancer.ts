import { buildFrame, type Action, type ErrorMessage, type Ipv4, type Tcp } from 'culprit/networks';
import type { App, AppOptions, ControllerIo, Received } from '../base/app.ts';
import { output, type ConnectedSwitch } from '../base/connected-switch.ts';
import { Switches, type PacketAt, type SwitchListener } from '../base/switches.ts';

/** The address of the service, behind which the servers are. No station has it. */
const SERVICE = { mac: '00:00:5e:00:53:64', ip: '192.0.2.100' } as const;

const ARP = 0x0806;
const IPV4 = 0x0800;
const TCP = 6;
const BROADCAST = 'ff:ff:ff:ff:ff:ff';
const UNKNOWN = '00:00:00:00:00:00';

interface Server {
  readonly ip: string;
  mac: string;
  /** The first place where it answered: those after it are on the way there. */
  home: { readonly dpid: number; readonly port: number } | undefined;
  /** The port toward it, by switch. */
  readonly ports: Map<number, number>;
}

/** A session whose flow entry is on its way to a switch, or was refused there. */
interface Session {
  readonly server: Server;
  readonly flowMod: number;
  readonly barrier: number;
  isRefused: boolean;
}

/** A TCP packet to the service. */
interface ServiceSegment {
  readonly ip: Ipv4;
  readonly tcp: Tcp;
}

/**
 * Spreads TCP sessions to one address over servers. It finds the servers by ARP, and installs an entry for each of them in every switch. For a
 * session it draws a server, and installs an entry where the client is; once the switch has it, the session is its own business.
 *
 * Bug `unchecked`: it does not look at errors. A session whose entry did not fit into the table is forgotten like the others, so that its next
 * packet draws a server again.
 */
export class Balancer implements App, SwitchListener {
  private readonly switches: Switches;
  private readonly servers: readonly Server[];
  /** By switch, client and port of the client. */
  private readonly sessions = new Map<string, Session>();

  constructor(
    private readonly io: ControllerIo,
    private readonly options: AppOptions,
  ) {
    this.switches = new Switches(io, this);
    const addresses = (options.given['servers'] ?? '').split(',');
    this.servers = addresses.map((ip) => ({ ip, mac: UNKNOWN, home: undefined, ports: new Map() }));
  }

  receive(message: Received, from: string): void {
    this.switches.receive(message, from);
  }

  view(): object {
    return { sessions: [...this.sessions.keys()] };
  }

  /** Looks for servers at the new switch, and for the way from there to those that are known. */
  up(at: ConnectedSwitch): void {
    for (const server of this.servers) {
      at.emit(probeOf(server), 'flood');
      if (server.home !== undefined) this.switches.of(server.home.dpid)?.emit(probeOf(server), server.home.port);
    }
  }

  down({ dpid }: ConnectedSwitch): void {
    for (const { ports } of this.servers) ports.delete(dpid);
    for (const key of this.sessions.keys()) if (key.startsWith(`${dpid} `)) this.sessions.delete(key);
  }

  portStatus(): void {
    // A server whose port is down gets nothing until it is up again; no other server can answer for its sessions.
  }

  packetIn(packet: PacketAt, at: ConnectedSwitch): void {
    const { payload } = packet.frame;
    const segment = segmentIn(packet);
    if (segment !== undefined) this.balance(segment, packet, at);
    else if (payload.kind === 'arp' && payload.op === 2) this.locate(payload.spa, packet, at);
    else at.sendPacket(packet, []);
  }

  barrierReply(xid: number, at: ConnectedSwitch): void {
    const found = this.sessionOf(at, ({ barrier }) => barrier === xid);
    if (found !== undefined && !found[1].isRefused) this.sessions.delete(found[0]);
  }

  error({ xid, error }: ErrorMessage, at: ConnectedSwitch): void {
    if (this.options.bug === 'unchecked' || error !== 'flow_mod_failed') return;
    const found = this.sessionOf(at, ({ flowMod }) => flowMod === xid);
    if (found !== undefined) found[1].isRefused = true;
  }

  private sessionOf({ dpid }: ConnectedSwitch, isWanted: (session: Session) => boolean): [string, Session] | undefined {
    return [...this.sessions].find(([key, session]) => key.startsWith(`${dpid} `) && isWanted(session));
  }

  /** An answer of a server shows every switch that it crosses the way there. */
  private locate(ip: string, packet: PacketAt, at: ConnectedSwitch): void {
    const server = this.servers.find((one) => one.ip === ip);
    if (server === undefined) return at.sendPacket(packet, []);
    const { inPort: port, frame } = packet;
    const isNew = !server.ports.has(at.dpid);
    server.mac = frame.dlSrc;
    server.home ??= { dpid: at.dpid, port };
    if (isNew) {
      server.ports.set(at.dpid, port);
      this.io.log(`${at.name}: ${ip} is at port ${port}`);
      at.addFlow({ match: { dlDst: server.mac }, actions: [output(port)] });
    }
    const isHome = server.home.dpid === at.dpid && server.home.port === port;
    at.sendPacket(packet, isNew || isHome ? [output('flood')] : []);
  }

  private balance({ ip, tcp }: ServiceSegment, packet: PacketAt, at: ConnectedSwitch): void {
    const key = `${at.dpid} ${ip.nwSrc}:${tcp.tpSrc}`;
    const known = this.sessions.get(key);
    const server = known?.server ?? this.drawServer(at);
    if (server === undefined) return at.sendPacket(packet, []);
    const actions = actionsToward(server, at);
    if (known === undefined) {
      this.io.log(`${ip.nwSrc}:${tcp.tpSrc} is served by ${server.ip}`);
      const { nwSrc, nwDst } = ip;
      const match = { dlType: IPV4, nwProto: TCP, nwSrc, nwDst, tpSrc: tcp.tpSrc, tpDst: tcp.tpDst };
      const flowMod = at.addFlow({ match, actions });
      this.sessions.set(key, { server, flowMod, barrier: at.barrier(), isRefused: false });
    }
    at.sendPacket(packet, actions);
  }

  /** One of those that the switch can reach. */
  private drawServer({ dpid }: ConnectedSwitch): Server | undefined {
    const reachable = this.servers.filter(({ ports }) => ports.has(dpid));
    return reachable[Math.floor(this.io.random() * reachable.length)];
  }
}

const actionsToward = ({ mac, ip, ports }: Server, { dpid }: ConnectedSwitch): readonly Action[] => [
  { type: 'set_dl_dst', dlAddr: mac },
  { type: 'set_nw_dst', nwAddr: ip },
  output(ports.get(dpid) ?? 'none'),
];

function segmentIn({ frame: { payload } }: PacketAt): ServiceSegment | undefined {
  if (payload.kind !== 'ipv4' || payload.nwDst !== SERVICE.ip || payload.payload.kind !== 'tcp') return undefined;
  return { ip: payload, tcp: payload.payload };
}

const probeOf = ({ ip }: Server): string =>
  buildFrame({
    dlDst: BROADCAST,
    dlSrc: SERVICE.mac,
    dlType: ARP,
    payload: { kind: 'arp', op: 1, sha: SERVICE.mac, spa: SERVICE.ip, tha: UNKNOWN, tpa: ip },
  });

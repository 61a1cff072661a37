import type { Frame, Match } from 'culprit/networks';
import { output, type ConnectedSwitch } from '../base/connected-switch.ts';
import { pacedSeconds } from '../base/paced.ts';
import type { PacketAt, Switches } from '../base/switches.ts';
import type { PathStep } from './shortest-paths.ts';

const IDLE_SECONDS = 10;
const HARD_SECONDS = 30;

/** A packet that waits until the entries of its path are there. */
interface WaitingPacket {
  readonly packet: PacketAt;
  readonly at: ConnectedSwitch;
  readonly port: number;
  /** The barriers without an answer: switch and number. */
  readonly barriers: Set<string>;
}

/** The packets that an entry for this one is for. */
function matchOf({ dlSrc, dlDst, dlType, payload }: Frame): Match {
  const ofMac = { dlSrc, dlDst, dlType };
  if (payload.kind !== 'ipv4') return ofMac;
  const { nwSrc, nwDst, nwProto } = payload;
  return { ...ofMac, nwSrc, nwDst, nwProto };
}

/** Installs paths: entries from the far end on, a barrier for each, and then the packet. */
export class PathInstaller {
  private waiting: WaitingPacket[] = [];
  /** The switches with entries. */
  private readonly used = new Set<number>();

  constructor(
    private readonly switches: Pick<Switches, 'of'>,
    private readonly pace: number,
  ) {}

  /** `inPorts`: where packets come in, switch by switch; an entry without one is for packets from any port. */
  install(
    path: readonly PathStep[],
    packet: PacketAt,
    at: ConnectedSwitch,
    inPorts: readonly (number | undefined)[],
  ): void {
    const match = matchOf(packet.frame);
    const barriers = new Set<string>();
    for (const [nth, { dpid, port }] of [...path.entries()].toReversed()) {
      const one = this.switches.of(dpid);
      if (one === undefined) continue;
      const inPort = inPorts[nth];
      one.addFlow({
        match: inPort === undefined ? match : { inPort, ...match },
        actions: [output(port)],
        idleTimeout: pacedSeconds(IDLE_SECONDS, this.pace),
        hardTimeout: pacedSeconds(HARD_SECONDS, this.pace),
      });
      this.used.add(dpid);
      barriers.add(`${dpid} ${one.barrier()}`);
    }
    this.waiting.push({ packet, at, port: path[0]?.port ?? 0, barriers });
  }

  barrierReply(xid: number, { dpid }: ConnectedSwitch): void {
    for (const { barriers } of this.waiting) barriers.delete(`${dpid} ${xid}`);
    const ready = this.waiting.filter(({ barriers }) => barriers.size === 0);
    this.waiting = this.waiting.filter(({ barriers }) => barriers.size > 0);
    for (const { packet, at, port } of ready) at.sendPacket(packet, [output(port)]);
  }

  /** Forgets all paths, and deletes the entries of those that it has installed. */
  removeAll(): void {
    this.waiting = [];
    for (const dpid of this.used) this.switches.of(dpid)?.deleteFlows();
    this.used.clear();
  }

  /** Removes the entries for packets to a station. */
  removeTo(mac: string): void {
    this.waiting = this.waiting.filter(({ packet }) => packet.frame.dlDst !== mac);
    for (const dpid of this.used) this.switches.of(dpid)?.deleteFlows({ match: { dlDst: mac } });
  }
}

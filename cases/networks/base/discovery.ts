import type { PortStatus } from 'culprit/networks';
import type { ControllerIo } from './app.ts';
import { isDown, output, type ConnectedSwitch } from './connected-switch.ts';
import { discoveryFrame, NEAREST_BRIDGE, LLDP, originOf, type Place } from './lldp.ts';
import type { PacketAt, Switches } from './switches.ts';

/** Every port gets one frame in this time, in turn. */
const CYCLE_MS = 5_000;
/** A link without a frame for so long is gone. */
const EXPIRY_MS = 10_000;
const LOOK_MS = 5_000;

/** A link in one direction. */
export interface Link {
  readonly from: Place;
  readonly to: Place;
}

export interface LinkEvent extends Link {
  readonly isNew: boolean;
}

interface Known extends Link {
  heardMs: number;
}

const placeName = ({ dpid, port }: Place): string => `s${dpid}.${port}`;

export const linkName = ({ from, to }: Link): string => `${placeName(from)}-${placeName(to)}`;

export const isAt = (one: Place, other: Place): boolean => one.dpid === other.dpid && one.port === other.port;

export interface DiscoveryOptions {
  /** Whether links from switches of other controllers count. */
  readonly hearsOthers?: boolean;
  /** Whether frames of its types to other addresses than that of discovery are packets like all others. */
  readonly isNarrow?: boolean;
  /** Whether the links at a port are gone as soon as it is down; otherwise when they expire. True unless it is false. */
  readonly heedsPorts?: boolean;
  /** The types of the frames that it sends; LLDP alone by default. */
  readonly frameTypes?: readonly number[];
  /** Whether ports have their turns in a random order, a new one in each cycle and whenever a switch is up. */
  readonly inRandomOrder?: boolean;
}

/** Finds links by LLDP: a frame leaves through a port, and comes back from the switch at the other end. */
export class Discovery {
  /** By their names. */
  private readonly known = new Map<string, Known>();
  /** The ports whose turns are still to come in this cycle. */
  private turns: Place[] = [];
  private timer: ReturnType<ControllerIo['setInterval']> | undefined;
  /** How long after one another ports have their turns: it depends on how many there are. */
  private periodMs = 0;

  constructor(
    private readonly io: ControllerIo,
    private readonly switches: Pick<Switches, 'all'>,
    private readonly changed: (event: LinkEvent) => void,
    private readonly options: DiscoveryOptions = {},
  ) {
    const expire = (): void => this.expire();
    io.setInterval(expire, LOOK_MS);
    this.keepPeriod();
  }

  get links(): readonly Link[] {
    return [...this.known.values()];
  }

  /** Whether a link begins or ends at this port, as far as is known. */
  isLinkAt(place: Place): boolean {
    return this.links.some(({ from, to }) => isAt(from, place) || isAt(to, place));
  }

  up(at: ConnectedSwitch): void {
    const to = this.options.isNarrow === true ? { dlDst: NEAREST_BRIDGE } : {};
    for (const dlType of this.frameTypes)
      at.addFlow({ match: { dlType, ...to }, actions: [output('controller')], priority: 0xff_ff });
    if (this.options.inRandomOrder === true) this.beginCycle();
    else for (const port of at.ports.keys()) this.probe(at, port);
  }

  down({ dpid }: ConnectedSwitch): void {
    this.forget(({ from, to }) => from.dpid === dpid || to.dpid === dpid);
  }

  portStatus({ desc, reason }: PortStatus, at: ConnectedSwitch): void {
    if (typeof desc.portNo !== 'number') return;
    const place = { dpid: at.dpid, port: desc.portNo };
    if (reason !== 'delete' && !isDown(desc)) this.probe(at, desc.portNo);
    else if (this.options.heedsPorts !== false) this.forget(({ from, to }) => isAt(from, place) || isAt(to, place));
  }

  /** Takes a packet of discovery; false if it is another one. */
  take({ frame, inPort }: PacketAt, at: ConnectedSwitch): boolean {
    const from = originOf(frame);
    if (from === undefined) return false;
    // The switch has gone since.
    const isOurs = this.switches.all.some(({ dpid }) => dpid === from.dpid);
    if (!isOurs && this.options.hearsOthers !== true) return true;
    const link = { from, to: { dpid: at.dpid, port: inPort } };
    const name = linkName(link);
    const before = this.known.get(name);
    if (before !== undefined) before.heardMs = this.io.now();
    else {
      this.known.set(name, { ...link, heardMs: this.io.now() });
      this.io.log(`link ${name}`);
      this.changed({ ...link, isNew: true });
    }
    return true;
  }

  private get frameTypes(): readonly number[] {
    return this.options.frameTypes ?? [LLDP];
  }

  private probe(at: ConnectedSwitch, port: number): void {
    const known = at.ports.get(port);
    if (known === undefined || isDown(known)) return;
    for (const dlType of this.frameTypes) at.emit(discoveryFrame(dlType, { dpid: at.dpid, port }, known.hwAddr), port);
  }

  private probeNext(): void {
    if (this.turns.length === 0) this.turns = this.nextCycle();
    const turn = this.turns.shift();
    const at = this.switches.all.find(({ dpid }) => dpid === turn?.dpid);
    if (turn !== undefined && at !== undefined) this.probe(at, turn.port);
    this.keepPeriod();
  }

  private keepPeriod(): void {
    const periodMs = CYCLE_MS / Math.max(1, this.ports.length);
    if (periodMs === this.periodMs) return;
    this.periodMs = periodMs;
    this.restart();
  }

  private restart(): void {
    const probe = (): void => this.probeNext();
    this.io.clearInterval(this.timer);
    this.timer = this.io.setInterval(probe, this.periodMs);
  }

  private beginCycle(): void {
    this.turns = [];
    this.periodMs = CYCLE_MS / Math.max(1, this.ports.length);
    this.restart();
  }

  private nextCycle(): Place[] {
    const { ports } = this;
    return this.options.inRandomOrder === true ? shuffled(ports, this.io) : ports;
  }

  private get ports(): Place[] {
    return this.switches.all.flatMap(({ dpid, ports }) => [...ports.keys()].map((port) => ({ dpid, port })));
  }

  private expire(): void {
    const nowMs = this.io.now();
    this.forget(({ heardMs }) => nowMs - heardMs > EXPIRY_MS);
  }

  private forget(isGone: (link: Known) => boolean): void {
    for (const [name, link] of this.known) {
      if (!isGone(link)) continue;
      this.known.delete(name);
      this.io.log(`no link ${name}`);
      this.changed({ from: link.from, to: link.to, isNew: false });
    }
  }
}

/** The same in a random order. */
function shuffled<T>(all: readonly T[], { random }: Pick<ControllerIo, 'random'>): T[] {
  const rest = [...all];
  return all.flatMap(() => rest.splice(Math.floor(random() * rest.length), 1));
}

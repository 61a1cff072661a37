import {
  buildFrame,
  normalMatch,
  type Action,
  type FlowMod,
  type Frame,
  type Match,
  type PacketOut,
  type Port,
} from 'culprit/networks';
import type { Random } from 'culprit/kernel';

/**
 * Random flow_mods and packets for two switches with ports 1 to 4. Few different values, so that they often meet; matches in
 * normal form; every new entry has a priority of its own, so that all switches have to agree.
 */
export class RandomSequence {
  private readonly issued: Pick<FlowMod, 'match' | 'priority'>[] = [];
  /**
   * Open vSwitch lets an action that sets ports change the type and code of ICMP, and the standard does not: a sequence has
   * either such actions or ICMP.
   */
  private readonly hasIcmp: boolean;
  private xid = 100;

  constructor(
    private readonly random: Random,
    /** The timeouts of most entries, in seconds, which then report their removal; by default some entries have any. */
    private readonly timeouts: readonly number[] = [],
  ) {
    this.hasIcmp = this.chance(2);
  }

  flowMod(): FlowMod {
    const command = this.pick(['add', 'add', 'add', 'modify', 'modify_strict', 'delete', 'delete_strict'] as const);
    const { match, priority } = this.meant(command);
    if (!command.startsWith('delete')) this.issued.push({ match, priority });
    return {
      type: 'flow_mod',
      xid: ++this.xid,
      match,
      cookie: this.random.below(1000),
      command,
      idleTimeout: this.timeout(),
      hardTimeout: this.timeout(),
      priority,
      bufferId: 'none',
      outPort: command.startsWith('delete') && this.chance(2) ? 1 + this.random.below(4) : 'none',
      flags: this.timeouts.length > 0 || this.chance(2) ? ['send_flow_rem'] : [],
      actions: command.startsWith('delete') ? [] : this.actions(),
    };
  }

  private timeout(): number {
    if (this.timeouts.length > 0) return this.chance(2) ? this.pick(this.timeouts) : 0;
    return this.chance(4) ? 1 + this.random.below(60) : 0;
  }

  /** The match and priority of a new entry, or often of one that there may be. */
  private meant(command: FlowMod['command']): Pick<FlowMod, 'match' | 'priority'> {
    const ownPriority = this.xid * 7;
    if (this.issued.length === 0 || !this.chance(command === 'add' ? 8 : 2)) {
      return { match: this.match(command), priority: ownPriority };
    }
    const { match, priority } = this.pick(this.issued);
    if (command !== 'modify' && command !== 'delete') return { match, priority };
    // A modification of all entries that it covers may add one, which then needs its own priority.
    return { match: this.chance(2) ? this.similar(match) : match, priority: ownPriority };
  }

  /** A packet that arrives at a port, as a controller can say it: it is looked up in the table. */
  packet(): PacketOut {
    return {
      type: 'packet_out',
      xid: ++this.xid,
      bufferId: 'none',
      inPort: 1 + this.random.below(4),
      actions: [{ type: 'output', port: 'table', maxLen: 0 }],
      data: buildFrame(this.frame()),
    };
  }

  private match(command: FlowMod['command']): Match {
    if (command !== 'delete' && this.chance(6)) return this.exactMatch();
    // Without a bound on its fields, a deletion empties the table.
    const field = command === 'delete' ? 2 : 3;
    const some = <T>(value: T): T | undefined => (this.chance(field) ? value : undefined);
    const dlType = some(this.type());
    const nwProto = some(dlType === 0x0806 ? 1 + this.random.below(2) : this.protocol());
    const all: { readonly [K in keyof Match]: Match[K] | undefined } = {
      inPort: some(1 + this.random.below(4)),
      dlSrc: some(this.mac()),
      dlDst: some(this.mac()),
      dlVlan: some(this.vlan()),
      dlVlanPcp: this.chance(6) ? this.random.below(3) : undefined,
      dlType,
      nwTos: this.chance(5) ? this.tos() : undefined,
      nwProto,
      nwSrc: some(this.prefix()),
      nwDst: some(this.prefix()),
      tpSrc: this.chance(3) ? this.port() : undefined,
      tpDst: this.chance(3) ? this.port() : undefined,
    };
    return normalMatch(withoutUndefined(all));
  }

  private exactMatch(): Match {
    const dlVlan = this.vlan();
    return {
      inPort: 1 + this.random.below(4),
      dlSrc: this.mac(),
      dlDst: this.mac(),
      dlVlan,
      dlVlanPcp: dlVlan === 'none' ? 0 : this.random.below(3),
      dlType: 0x0800,
      nwTos: this.tos(),
      nwProto: this.pick([1, 6, 17]),
      nwSrc: this.address(),
      nwDst: this.address(),
      tpSrc: this.port(),
      tpDst: this.port(),
    };
  }

  /** Without one of its fields, or with another prefix. */
  private similar(match: Match): Match {
    const names = Object.keys(match);
    if (names.length === 0) return match;
    if (match.nwSrc !== undefined && this.chance(2)) return { ...match, nwSrc: this.prefix() };
    const dropped = names[this.random.below(names.length)];
    return normalMatch(Object.fromEntries(Object.entries(match).filter(([name]) => name !== dropped)));
  }

  private actions(): Action[] {
    return Array.from({ length: this.random.below(5) }, () => (this.chance(2) ? this.output() : this.setField()));
  }

  private output(): Action {
    const port = this.pick<Port>([1, 2, 3, 4, 1, 2, 3, 4, 9, 'in_port', 'flood', 'all', 'controller']);
    if (typeof port === 'number' && this.chance(6)) return { type: 'enqueue', port, queueId: this.random.below(3) };
    return { type: 'output', port, maxLen: port === 'controller' ? 0xffff : 0 };
  }

  private setField(): Action {
    switch (this.random.below(this.hasIcmp ? 6 : 7)) {
      case 0:
        return { type: 'set_vlan_vid', vlanVid: this.pick([0, 5, 6, 4095]) };
      case 1:
        return { type: 'set_vlan_pcp', vlanPcp: this.random.below(8) };
      case 2:
        return { type: 'strip_vlan' };
      case 3:
        return { type: this.pick(['set_dl_src', 'set_dl_dst'] as const), dlAddr: this.mac() };
      case 4:
        return { type: this.pick(['set_nw_src', 'set_nw_dst'] as const), nwAddr: this.address() };
      case 5:
        return { type: 'set_nw_tos', nwTos: this.tos() };
      default:
        return { type: this.pick(['set_tp_src', 'set_tp_dst'] as const), tpPort: this.port() };
    }
  }

  private frame(): Frame {
    const vlan = this.vlan();
    const dlType = this.type();
    return {
      dlDst: this.mac(),
      dlSrc: this.mac(),
      ...(vlan === 'none' ? {} : { vlan: { id: vlan, pcp: this.random.below(3), dei: false } }),
      dlType,
      payload: this.payload(dlType),
    };
  }

  private payload(dlType: number): Frame['payload'] {
    const data = this.random
      .below(2 ** 32)
      .toString(16)
      .padStart(64, '0');
    if (dlType === 0x0806) {
      const [sha, spa, tha, tpa] = [this.mac(), this.address(), this.mac(), this.address()];
      return { kind: 'arp', op: 1 + this.random.below(2), sha, spa, tha, tpa };
    }
    if (dlType !== 0x0800) return { kind: 'opaque', data };
    const ports = { tpSrc: this.port(), tpDst: this.port() };
    const packet = {
      kind: 'ipv4',
      nwSrc: this.address(),
      nwDst: this.address(),
      // The last two bits are not part of a match, and survive actions.
      nwTos: this.tos() + this.random.below(4),
      ttl: 64,
      id: this.random.below(65536),
      flags: [],
      fragmentOffset: 0,
    } as const;
    const nwProto = this.protocol();
    switch (nwProto) {
      case 1:
        return { ...packet, nwProto, payload: { kind: 'icmp', icmpType: 3, icmpCode: ports.tpSrc & 1, data } };
      case 6: {
        const flags = ['syn'] as const;
        return {
          ...packet,
          nwProto,
          payload: { kind: 'tcp', ...ports, seq: 1, ack: 0, flags, window: 9, urgent: 0, data },
        };
      }
      case 17: {
        const checksum = this.chance(4) ? { checksum: 0 } : {};
        return { ...packet, nwProto, payload: { kind: 'udp', ...ports, ...checksum, data } };
      }
      default:
        return { ...packet, nwProto, payload: { kind: 'opaque', data } };
    }
  }

  private pick<T>(values: readonly T[]): T {
    return this.random.pick(values);
  }

  /** True once in so many times. */
  private chance(times: number): boolean {
    return this.random.below(times) === 0;
  }

  private mac(): string {
    return this.pick(['00:00:5e:00:53:01', '00:00:5e:00:53:02', '00:00:5e:00:53:03']);
  }
  private vlan(): number | 'none' {
    return this.pick(['none', 'none', 0, 5, 6] as const);
  }
  private type(): number {
    return this.pick([0x0800, 0x0800, 0x0800, 0x0806, 0x1234]);
  }
  private protocol(): number {
    return this.pick(this.hasIcmp ? [1, 1, 6, 17, 47] : [6, 17, 47]);
  }
  private tos(): number {
    return this.pick([0, 4, 252]);
  }
  private port(): number {
    return this.pick([3, 1, 80, 65535]);
  }
  private address(): string {
    return this.pick(['10.0.0.1', '10.0.0.2', '10.0.128.1', '192.0.2.1', '255.255.255.254']);
  }
  private prefix(): string {
    return this.pick(['10.0.0.1', '10.0.0.0/30', '10.0.0.0/17', '10.0.0.0/8', '128.0.0.0/1', '192.0.2.0/31']);
  }
}

const withoutUndefined = (all: { readonly [K in keyof Match]: Match[K] | undefined }): Match =>
  Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));

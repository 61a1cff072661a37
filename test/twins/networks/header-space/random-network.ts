import {
  applyFlowMod,
  emptyTable,
  flowMod,
  type Action,
  type FlowEntry,
  type FlowMod,
  type Match,
  type NetworkState,
  type PortView,
} from 'culprit/networks';
import { Random } from 'culprit/kernel';

export type Ports = (PortView & { readonly portNo: number })[];

const macs = ['00:00:5e:00:53:01', '00:00:5e:00:53:02', '00:00:5e:00:53:03'];
const allPrefixes = [
  ['10.0.0.0/8', '10.1.0.0/16'],
  ['10.1.0.0/31', '10.1.0.1'],
  ['10.1.0.0/16', '10.2.0.0/15'],
  ['10.1.0.2', '192.0.2.7'],
] as const;

/** Groups of fields. A network uses one or two of them, so that all representative headers can be tried. */
const topics = ['addresses', 'tags', 'types', 'sources', 'destinations', 'ports'] as const;

/** A random network of at most 5 switches and 20 flow entries. Few different values, so that entries often meet. */
export class RandomNetwork {
  readonly state: NetworkState;
  protected readonly random: Random;
  private readonly topics: ReadonlySet<(typeof topics)[number]>;
  protected readonly tables: ReturnType<typeof emptyTable>[];
  protected readonly ports: Ports[];
  private readonly portCount: number;
  private readonly prefixes: readonly string[];
  private xid = 0;

  constructor(seed: number, kind: 'few of everything' | 'many prefixes' = 'few of everything') {
    this.random = Random.seeded(seed, 0x5eed);
    const hasMany = kind === 'many prefixes';
    this.topics = hasMany
      ? new Set([this.chance(3) ? 'sources' : 'destinations', 'destinations'])
      : new Set([this.random.pick(topics), this.random.pick(topics)]);
    this.prefixes = hasMany ? this.nestedPrefixes() : this.random.pick(allPrefixes);
    const count = 1 + this.random.below(hasMany ? 3 : 5);
    this.portCount = 2 + this.random.below(3);
    const ports = this.wired(count);
    this.ports = ports;
    this.tables = ports.map(() => emptyTable(1000));
    const entries = (hasMany ? 30 : 1) + this.random.below(hasMany ? 30 : 20);
    for (let nth = 0; nth < entries; nth++) this.changeTable('add');
    const tables = this.tables;
    this.state = {
      switches: ports.map((_, index) => ({
        name: `s${index + 1}`,
        get entries() {
          return (tables[index] as ReturnType<typeof emptyTable>).entries;
        },
        get ports() {
          return ports[index] as Ports;
        },
      })),
    };
  }

  /** A random flow_mod, and what it changed in the table of which switch. */
  update(): { readonly name: string; readonly removed: FlowEntry[]; readonly added: FlowEntry[] } {
    return this.changeTable(this.random.pick(['add', 'add', 'delete', 'delete_strict'] as const));
  }

  /** Another state of a random port, as both ends of its link see it. */
  updatePort(): { readonly name: string; readonly ports: readonly PortView[] }[] {
    const index = this.random.below(this.ports.length);
    const views = this.ports[index] as Ports;
    const { portNo, peer } = this.random.pick(views);
    const linkIsUp = !this.chance(3);
    this.ports[index] = views.map((view) =>
      view.portNo === portNo ? { ...view, ...this.port(portNo), linkIsUp } : view,
    );
    const other = peer?.kind === 'switch' ? Number(peer.name.slice(1)) - 1 : -1;
    const far = this.ports[other];
    if (far !== undefined && peer?.kind === 'switch')
      this.ports[other] = far.map((view) => (view.portNo === peer.port ? { ...view, linkIsUp } : view));
    const changed = [...new Set(far === undefined ? [index] : [index, other])];
    return changed.map((nth) => ({ name: `s${nth + 1}`, ports: this.ports[nth] as Ports }));
  }

  private changeTable(command: FlowMod['command']) {
    const index = this.random.below(this.tables.length);
    const table = this.tables[index] as ReturnType<typeof emptyTable>;
    const before = [...table.entries];
    const old = command === 'delete_strict' && before.length > 0 ? this.random.pick(before) : undefined;
    const message = flowMod({
      xid: ++this.xid,
      match: old?.match ?? this.match(),
      cookie: this.xid,
      command,
      priority: old?.priority ?? 1 + this.random.below(6),
      actions: command.startsWith('delete') ? [] : this.actions(),
    });
    const result = applyFlowMod(table, message, 0);
    if ('error' in result) throw new Error(result.code);
    const [was, is] = [new Set(before), new Set(table.entries)];
    return {
      name: `s${index + 1}`,
      removed: before.filter((entry) => !is.has(entry)),
      added: table.entries.filter((entry) => !was.has(entry)),
    };
  }

  /** Prefixes of many lengths, most of them parts of others. */
  private nestedPrefixes(): string[] {
    const found = [{ first: 10 * 2 ** 24, bits: 8 }];
    while (found.length < 12) {
      const { first, bits } = this.random.pick(found);
      const longer = Math.min(32, bits + 1 + this.random.below(8));
      const part = this.random.below(2 ** (longer - bits));
      found.push({ first: first + part * 2 ** (32 - longer), bits: longer });
    }
    return found.map(
      ({ first, bits }) => `${[24, 16, 8, 0].map((shift) => Math.floor(first / 2 ** shift) % 256).join('.')}/${bits}`,
    );
  }

  /** Ports with random links between them, stations at some, and nothing at others. */
  private wired(count: number): Ports[] {
    const ports: Ports[] = Array.from({ length: count }, () => []);
    const free = ports.flatMap((_, index) =>
      Array.from({ length: this.portCount }, (_port, port) => ({ index, portNo: port + 1 })),
    );
    let stations = 0;
    const most = 1 + this.random.below(3);
    while (free.length > 0) {
      const [one] = free.splice(this.random.below(free.length), 1) as [{ index: number; portNo: number }];
      const other = this.chance(4) || stations === 0 ? undefined : free.splice(this.random.below(free.length), 1)[0];
      if (other !== undefined) {
        const linkIsUp = !this.chance(12);
        const between = (end: typeof one, peer: typeof one): void => {
          const to = { kind: 'switch', name: `s${peer.index + 1}`, port: peer.portNo } as const;
          (ports[end.index] as Ports).push({ ...this.port(end.portNo), linkIsUp, peer: to });
        };
        between(one, other);
        between(other, one);
        continue;
      }
      const isStation = stations < most && !this.chance(5);
      const peer = {
        kind: 'station',
        name: `h${stations + 1}`,
        mac: macs[stations] ?? '',
        ip: `10.1.0.${stations + 1}`,
      } as const;
      (ports[one.index] as Ports).push({ ...this.port(one.portNo), linkIsUp: true, ...(isStation ? { peer } : {}) });
      if (isStation) stations++;
    }
    return ports.map((views) => views.toSorted((a, b) => a.portNo - b.portNo));
  }

  private port(portNo: number): Pick<PortView, 'portNo' | 'isUp' | 'config'> & { readonly portNo: number } {
    const bits = ['port_down', 'no_recv', 'no_flood', 'no_fwd'] as const;
    return { portNo, isUp: !this.chance(15), config: this.chance(8) ? [this.random.pick(bits)] : [] };
  }

  protected match(): Match {
    const some = <T extends Match>(topic: (typeof topics)[number], fields: () => T, odds = 2): T | object =>
      this.topics.has(topic) && this.chance(odds) ? fields() : {};
    const type = this.random.pick([0x0800, 0x0800, 0x0806, 0x88cc]);
    return {
      ...(this.chance(3) ? { inPort: 1 + this.random.below(this.portCount) } : {}),
      ...some('addresses', () => ({ dlDst: this.random.pick(macs) })),
      ...some('addresses', () => ({ dlSrc: this.random.pick(macs) }), 5),
      ...some('tags', () => ({ dlVlan: this.random.pick(['none', 0, 5] as const) })),
      ...some('tags', () => ({ dlVlanPcp: this.random.pick([0, 3]) }), 4),
      ...some('types', () => ({ dlType: type })),
      ...some('sources', () => ({ dlType: type, nwSrc: this.random.pick(this.prefixes) })),
      ...some('destinations', () => ({ dlType: type, nwDst: this.random.pick(this.prefixes) })),
      ...some('ports', () => ({ dlType: 0x0800, nwProto: this.random.pick([1, 6, 17, 2]) })),
      ...some('ports', () => ({
        dlType: 0x0800,
        nwProto: this.random.pick([1, 6]),
        tpDst: this.random.pick([3, 80, 300]),
      })),
      ...some('ports', () => ({ dlType: 0x0800, nwTos: 8 }), 8),
    };
  }

  protected actions(): Action[] {
    const actions: Action[] = [];
    while (this.chance(4)) actions.push(this.rewriting());
    if (this.chance(20)) return actions;
    actions.push(this.output());
    while (this.chance(6)) actions.push(this.chance(2) ? this.rewriting() : this.output());
    // The last of the actions that matter sends the packet.
    return this.chance(3) ? [...actions, this.output()] : actions;
  }

  private output(): Action {
    const special = ['flood', 'flood', 'all', 'in_port', 'controller', 'local'] as const;
    const port = this.chance(5)
      ? this.random.pick(special)
      : 1 + this.random.below(this.portCount + (this.chance(6) ? 1 : 0));
    return this.chance(15) && typeof port === 'number'
      ? { type: 'enqueue', port, queueId: 0 }
      : { type: 'output', port, maxLen: 0 };
  }

  private rewriting(): Action {
    const choices: Action[] = [
      ...(this.topics.has('addresses')
        ? [
            { type: 'set_dl_dst', dlAddr: this.random.pick(macs) } as const,
            { type: 'set_dl_src', dlAddr: this.random.pick(macs) } as const,
          ]
        : []),
      ...(this.topics.has('tags')
        ? [
            { type: 'set_vlan_vid', vlanVid: this.random.pick([0, 5]) } as const,
            { type: 'set_vlan_pcp', vlanPcp: this.random.pick([0, 3]) } as const,
            { type: 'strip_vlan' } as const,
          ]
        : []),
      ...(this.topics.has('sources') ? [{ type: 'set_nw_src', nwAddr: '10.1.0.2' } as const] : []),
      ...(this.topics.has('destinations') ? [{ type: 'set_nw_dst', nwAddr: '10.1.0.1' } as const] : []),
      ...(this.topics.has('ports')
        ? [{ type: 'set_tp_dst', tpPort: 80 } as const, { type: 'set_nw_tos', nwTos: 8 } as const]
        : []),
    ];
    return choices.length === 0 ? { type: 'set_dl_dst', dlAddr: macs[0] as string } : this.random.pick(choices);
  }

  /** One in so many. */
  protected chance(odds: number): boolean {
    return this.random.float() * odds < 1;
  }
}

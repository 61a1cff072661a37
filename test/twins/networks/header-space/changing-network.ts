import { applyFlowMod, emptyTable, flowMod, removeExpired, type FlowTable, type NetworkState } from 'culprit/networks';
import { RandomNetwork, type Ports } from './random-network.ts';

const kinds = {
  add: 6,
  modify: 3,
  'modify strictly': 3,
  delete: 2,
  'delete strictly': 3,
  'delete by port': 1,
  expire: 3,
  'turn a port off or on': 3,
  'cut or heal a link': 3,
  'move a station': 1,
  'crash or restart': 2,
  'several at once': 1,
} as const;

export type ChangeKind = keyof typeof kinds;

export const changeKinds = Object.keys(kinds) as ChangeKind[];
const weighted = changeKinds.flatMap((kind) => Array.from({ length: kinds[kind] }, () => kind));

/** A random network in which everything changes that can. A switch that is down is not part of its state. */
export class ChangingNetwork extends RandomNetwork {
  private readonly down = new Set<number>();
  private nowMs = 0;
  private cookie = 1000;

  /** Changes are made in place, so every look gets views of its own: a view that is the same object has not changed. */
  get running(): NetworkState {
    const running = this.state.switches.filter((_, index) => !this.down.has(index));
    return { switches: running.map((view) => ({ ...view })) };
  }

  /** Makes a random change, and tells which. */
  change(): ChangeKind {
    const kind = this.random.pick(weighted);
    this.nowMs += 300;
    this.make(kind);
    return kind;
  }

  private make(kind: ChangeKind): void {
    switch (kind) {
      case 'expire':
        // Entries expire in tables of switches that are down, too: they are gone anyway.
        for (const table of this.tables) removeExpired(table, this.nowMs);
        return;
      case 'turn a port off or on':
        this.changePort((port) => ({ ...port, isUp: !port.isUp }));
        return;
      case 'cut or heal a link':
        this.changeLink();
        return;
      case 'move a station':
        this.moveStation();
        return;
      case 'crash or restart':
        this.crashOrRestart();
        return;
      case 'several at once':
        for (let nth = 0; nth < 3; nth++)
          this.make(this.random.pick(changeKinds.filter((one) => one !== 'several at once')));
        return;
      default:
        this.applyMod(kind);
    }
  }

  private applyMod(kind: ChangeKind): void {
    const table = this.random.pick(this.tables);
    const isStrict = kind.endsWith('strictly');
    const old = (isStrict || this.chance(3)) && table.entries.length > 0 ? this.random.pick(table.entries) : undefined;
    const command = commandOf(kind);
    const message = flowMod({
      match: old?.match ?? this.match(),
      cookie: ++this.cookie,
      command: isStrict && command !== 'add' ? `${command}_strict` : command,
      idleTimeout: this.chance(6) ? 1 + this.random.below(3) : 0,
      hardTimeout: this.chance(6) ? 1 + this.random.below(4) : 0,
      priority: old?.priority ?? 1 + this.random.below(6),
      outPort: kind === 'delete by port' ? 1 + this.random.below(3) : 'none',
      actions: command === 'delete' ? [] : this.actions(),
    });
    const result = applyFlowMod(table, message, this.nowMs);
    if ('error' in result) throw new Error(result.code);
  }

  private changePort(change: (port: Ports[number]) => Ports[number]): void {
    const index = this.random.below(this.ports.length);
    const chosen = this.random.pick(this.ports[index] as Ports);
    this.ports[index] = (this.ports[index] as Ports).map((port) => (port === chosen ? change(port) : port));
  }

  /** Both ends notice it, or one. */
  private changeLink(): void {
    const ends = this.ports.flatMap((views, index) =>
      views.flatMap(({ portNo, peer, linkIsUp }) =>
        peer?.kind === 'switch' ? [{ index, portNo, peer, linkIsUp }] : [],
      ),
    );
    if (ends.length === 0) return;
    const { index, portNo, peer, linkIsUp: before } = this.random.pick(ends);
    const linkIsUp = before === false;
    const set = (at: number, port: number): void => {
      this.ports[at] = (this.ports[at] as Ports).map((view) => (view.portNo === port ? { ...view, linkIsUp } : view));
    };
    set(index, portNo);
    set(Number(peer.name.slice(1)) - 1, peer.port);
  }

  /** To a port where nothing is. */
  private moveStation(): void {
    const all = this.ports.flatMap((views, index) => views.map((view) => ({ index, view })));
    const stations = all.filter(({ view }) => view.peer?.kind === 'station');
    const free = all.filter(({ view }) => view.peer === undefined);
    if (stations.length === 0 || free.length === 0) return;
    const [from, to] = [this.random.pick(stations), this.random.pick(free)];
    const { peer, ...left } = from.view;
    if (peer === undefined) return;
    this.ports[from.index] = (this.ports[from.index] as Ports).map((view) => (view === from.view ? left : view));
    this.ports[to.index] = (this.ports[to.index] as Ports).map((view) => (view === to.view ? { ...view, peer } : view));
  }

  /** A switch that comes back has an empty table. */
  private crashOrRestart(): void {
    const index = this.random.below(this.tables.length);
    if (this.down.delete(index)) return;
    this.down.add(index);
    const table = this.tables[index] as FlowTable;
    this.tables[index] = { ...emptyTable(table.maxEntries) };
  }
}

const commandOf = (kind: ChangeKind): 'add' | 'modify' | 'delete' =>
  kind.startsWith('modify') ? 'modify' : kind.startsWith('delete') ? 'delete' : 'add';

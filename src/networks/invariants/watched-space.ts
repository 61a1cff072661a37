import { HeaderSpace } from '../header-space/header-space.ts';
import type { FlowEntry } from '../switch/flow-table.ts';
import type { NetworkState, PortView, SwitchView } from './network-state.ts';

/** A flow entry as it was when it was last looked at. Modifications change entries in place. */
type Seen = Map<FlowEntry, FlowEntry['actions']>;

/** Keeps the header space of a network current: only what differs from the last state is looked at again. */
export class WatchedSpace {
  /** Counts changes. */
  version = 0;
  private space: HeaderSpace | undefined;
  private readonly tables = new Map<string, Seen>();
  private readonly ports = new Map<string, readonly PortView[]>();
  /** A view that is still the same object is of a switch that has not changed. */
  private views: readonly SwitchView[] = [];

  of(state: NetworkState): HeaderSpace {
    if (this.space === undefined || !this.hasSwitches(state)) {
      this.version++;
      this.tables.clear();
      this.ports.clear();
      for (const view of state.switches) this.note(view);
      this.space = new HeaderSpace(state);
      this.views = state.switches;
      return this.space;
    }
    const before = this.views;
    this.views = state.switches;
    if (before === state.switches) return this.space;
    for (const [at, view] of state.switches.entries()) if (before[at] !== view) this.update(this.space, view);
    return this.space;
  }

  private hasSwitches({ switches }: NetworkState): boolean {
    return switches.length === this.tables.size && switches.every(({ name }) => this.tables.has(name));
  }

  /** Notes how a switch is now. */
  private note({ name, entries, ports }: SwitchView): void {
    this.version++;
    this.tables.set(name, new Map(entries.map((entry) => [entry, entry.actions])));
    this.ports.set(name, ports);
  }

  private update(space: HeaderSpace, view: SwitchView): void {
    const { name, entries, ports } = view;
    const seen = this.tables.get(name) as Seen;
    const added = entries.filter((entry) => seen.get(entry) !== entry.actions);
    if (added.length > 0 || seen.size !== entries.length) {
      const present = new Set(entries);
      const removed = [...seen].filter(([entry, actions]) => !present.has(entry) || entry.actions !== actions);
      space.change(
        name,
        removed.map(([entry]) => entry),
        added,
      );
      // A table that changed in several ways at once may have entries of equal priority in another order.
      if (!space.isInOrder(name, entries)) {
        space.change(name, entries, []);
        space.change(name, [], entries);
      }
    }
    const isWired = isSamePorts(this.ports.get(name) ?? [], ports);
    if (!isWired) space.changePorts(name, ports);
    if (added.length > 0 || seen.size !== entries.length || !isWired) this.note(view);
  }
}

const isSamePorts = (one: readonly PortView[], other: readonly PortView[]): boolean =>
  one.length === other.length && one.every((port, index) => isSamePort(port, other[index] as PortView));

const isSamePort = (one: PortView, other: PortView): boolean =>
  one.portNo === other.portNo &&
  one.isUp === other.isUp &&
  one.linkIsUp === other.linkIsUp &&
  one.config.join() === other.config.join() &&
  JSON.stringify(one.peer) === JSON.stringify(other.peer);

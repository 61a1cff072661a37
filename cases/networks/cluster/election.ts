import type { ControllerIo } from '../base/app.ts';
import { isAt } from '../base/discovery.ts';
import type { Place } from '../base/lldp.ts';
import { entryOf, type StoredValue, type ToStore } from './store.ts';

/** Ids are drawn from 0 to this. */
const IDS = 1_000;

/** A link from a switch of this controller to one of another. */
interface SharedLink {
  readonly here: Place;
  readonly there: Place;
  readonly other: string;
}

/** What the store says of a link. */
interface LinkEntry {
  readonly isUsable: boolean;
  /** The controller that is responsible for it; null until one takes it. */
  readonly by: string | null;
}

export interface ElectionOptions {
  /** Bug: an id that is known is not changed by a new one. */
  readonly keepsIds: boolean;
  /** The id in the first life, otherwise drawn. */
  readonly firstId: string | undefined;
}

/**
 * Decides which of two controllers is responsible for a link between their switches: the one with the higher id, of those that are there. It
 * says in the store whether the link is usable. One that is not responsible any longer gives the link up; until the other takes it, nothing
 * crosses it.
 */
export class Election {
  private id: number | undefined;
  /** The ids of the other controllers. */
  private readonly ids = new Map<string, number>();
  private readonly links: SharedLink[] = [];
  private readonly entries = new Map<string, LinkEntry>();
  private readonly down = new Set<string>();

  constructor(
    private readonly io: ControllerIo,
    private readonly tell: (message: ToStore) => void,
    private readonly options: ElectionOptions,
  ) {}

  view(): object {
    return Object.fromEntries(this.entries);
  }

  /** The store knows this controller now. */
  register(life: number): void {
    const { firstId } = this.options;
    this.id = life === 1 && firstId !== undefined ? Number(firstId) : Math.floor(this.io.random() * IDS);
    this.io.log(`id ${this.id}`);
    this.tell({ type: 'put', key: entryOf(this.io.self), value: this.id });
  }

  /** Takes a value of the store; true if a link has changed. */
  learn({ key, value }: StoredValue): boolean {
    const [kind, name = ''] = key.split(' ');
    if (kind === 'controller') this.learnId(name, value as number | null);
    if (kind === 'link') this.entries.set(name, value as LinkEntry);
    this.decide();
    return kind === 'link';
  }

  add(link: SharedLink): void {
    if (this.links.some(({ here }) => isAt(here, link.here))) return;
    this.links.push(link);
    this.decide();
  }

  portChanged(place: Place, isUp: boolean): void {
    if (isUp) this.down.delete(nameOf(place));
    else this.down.add(nameOf(place));
    this.decide();
  }

  /** Whether packets may cross the port: it leads to no link, or the link is usable. */
  isUsable(place: Place): boolean {
    const [, entry] = [...this.entries].find(([name]) => name.split('-').includes(nameOf(place))) ?? [];
    return entry?.isUsable ?? true;
  }

  private learnId(controller: string, id: number | null): void {
    if (controller === this.io.self) return;
    if (this.options.keepsIds && this.ids.has(controller)) return;
    if (id === null) this.ids.delete(controller);
    else this.ids.set(controller, id);
  }

  private decide(): void {
    for (const link of this.links) this.decideOn(link);
  }

  private decideOn({ here, there, other }: SharedLink): void {
    if (this.id === undefined) return;
    const name = [nameOf(here), nameOf(there)].toSorted().join('-');
    const entry = this.entries.get(name);
    const isUp = !this.down.has(nameOf(here));
    const isResponsible = this.id > (this.ids.get(other) ?? -1);
    if (isResponsible && entry?.isUsable !== isUp) this.enter(name, { isUsable: isUp, by: this.io.self });
    if (!isResponsible && entry?.by === this.io.self) this.enter(name, { isUsable: false, by: null });
  }

  /** Takes effect at once, so that it is not decided again meanwhile. */
  private enter(name: string, entry: LinkEntry): void {
    this.io.log(`link ${name} is ${entry.isUsable ? 'usable' : 'not usable'}, ${entry.by ?? 'nobody'} is responsible`);
    this.entries.set(name, entry);
    this.tell({ type: 'put', key: `link ${name}`, value: entry });
  }
}

const nameOf = ({ dpid, port }: Place): string => `s${dpid}.${port}`;

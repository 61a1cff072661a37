import { applyChanges, NOTHING, type EventLine } from 'culprit/trace';

/** A checkpoint at every so many events. More of them would take memory, fewer would make steps back slow. */
const SPACING = 128;

/** A process at a moment. */
export interface Seen {
  /** Portable data; `NOTHING` where it has no state. */
  readonly state: unknown;
  /** In the system's own words, where it has some. */
  readonly stateLabel: string | undefined;
}

/** All processes that had an event, by name. */
export type Snapshot = ReadonlyMap<string, Seen>;

/**
 * The states of all processes after any event. A trace has only what changed, so states are made by applying changes from the
 * nearest checkpoint on. Checkpoints are made from the beginning on, as far as somebody asks.
 */
export class States {
  /** Before event 0, SPACING, 2 × SPACING and so on. States are never changed in place, so they are shared. */
  private readonly kept: Snapshot[] = [new Map()];

  constructor(private readonly events: readonly EventLine[]) {}

  /** Makes the next checkpoint toward an event. Whether there is none left to make, and `after` is quick. */
  approach(event: number): boolean {
    const at = this.kept.length;
    if ((event + 1) / SPACING < at) return true;
    const states = new Map(this.kept[at - 1]);
    this.apply(states, (at - 1) * SPACING, at * SPACING);
    this.kept.push(states);
    return false;
  }

  /** After the event with this index; before the first one at -1. */
  after(event: number): Snapshot {
    while (!this.approach(event));
    const at = Math.floor((event + 1) / SPACING);
    const states = new Map(this.kept[at]);
    this.apply(states, at * SPACING, event + 1);
    return states;
  }

  private apply(states: Map<string, Seen>, from: number, to: number): void {
    for (let at = from; at < to; at++) {
      const line = this.events[at] as EventLine;
      const before = states.get(line.process)?.state ?? NOTHING;
      const state = line.changes === undefined ? before : applyChanges(before, line.changes);
      states.set(line.process, { state, stateLabel: labelOf(line) });
    }
  }
}

const labelOf = (line: EventLine): string | undefined =>
  'stateLabel' in line && typeof line.stateLabel === 'string' ? line.stateLabel : undefined;

import { applyChanges, NOTHING, type EventLine } from 'culprit/trace';

/** Distance between checkpoints, in events. A smaller one takes memory, a larger one makes steps back slow. */
const SPACING = 128;

/** The state of a process at a moment. */
export interface Seen {
  /** Portable data; `NOTHING` without a state. */
  readonly state: unknown;
  /** The system's own words, if any. */
  readonly stateLabel: string | undefined;
}

/** All processes with an event so far, by name. */
export type Snapshot = ReadonlyMap<string, Seen>;

/**
 * The states of all processes after any event. A trace stores changes only, so states are computed from the nearest
 * checkpoint on. Checkpoints are made from the beginning, as far as needed.
 */
export class States {
  /** Before event 0, SPACING, 2 × SPACING and so on. States are immutable and therefore shared. */
  private readonly kept: Snapshot[] = [new Map()];

  constructor(private readonly events: readonly EventLine[]) {}

  /** Makes the next checkpoint toward an event. Returns whether none is missing, so that `after` is fast. */
  approach(event: number): boolean {
    const at = this.kept.length;
    if ((event + 1) / SPACING < at) return true;
    const states = new Map(this.kept[at - 1]);
    this.apply(states, (at - 1) * SPACING, at * SPACING);
    this.kept.push(states);
    return false;
  }

  /** The states after the event with this index; -1 for before the first. */
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

/** The words of the system for the state; or that the shown state is an earlier one. */
const labelOf = (line: EventLine): string | undefined =>
  line.unseen === true
    ? 'an earlier state: this one is too large to record'
    : 'stateLabel' in line && typeof line.stateLabel === 'string'
      ? line.stateLabel
      : undefined;

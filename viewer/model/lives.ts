import { ENVIRONMENT, type EventLine } from 'culprit/trace';

export type Status = 'absent' | 'up' | 'down' | 'stopped';

/** A status that a process has from an event on, up to the next one. */
export interface Turn {
  /** Index of the event; -1 for how it begins. */
  readonly event: number;
  readonly status: Status;
}

/** When each process is there: what its line in the diagram looks like. */
export class Lives {
  private readonly turns = new Map<string, Turn[]>();

  constructor(lanes: readonly string[], events: readonly EventLine[]) {
    const begun = new Set(events.filter(({ kind }) => isBeginning(kind)).map(({ process }) => process));
    for (const lane of lanes) {
      // Whoever never begins was there before the first event; the environment always is.
      const isThere = lane === ENVIRONMENT || !begun.has(lane);
      this.turns.set(lane, [{ event: -1, status: isThere ? 'up' : 'absent' }]);
    }
    for (const [event, line] of events.entries()) {
      if (line.process === ENVIRONMENT) continue;
      const turns = this.turns.get(line.process);
      const status = statusAfter(line);
      if (status !== turns?.at(-1)?.status) turns?.push({ event, status });
    }
  }

  /** How things stand after this event. */
  at(lane: string, event: number): Status {
    return this.turns.get(lane)?.[this.place(lane, event)]?.status ?? 'absent';
  }

  /** The turns that matter to a stretch: the last one at or before `first`, and those up to `last`. */
  between(lane: string, first: number, last: number): readonly Turn[] {
    const from = this.place(lane, first);
    return (this.turns.get(lane) ?? []).slice(from, this.place(lane, last) + 1);
  }

  /** Where the last turn at or before an event is, among those of its process. */
  private place(lane: string, event: number): number {
    const turns = this.turns.get(lane) ?? [];
    let [low, high] = [0, turns.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((turns[middle] as Turn).event <= event) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

const isBeginning = (kind: EventLine['kind']): boolean => kind === 'start' || kind === 'spawn';

/** Whoever has no state after an event of its own is not there: a handler that throws takes its process down. */
function statusAfter({ kind, state }: EventLine): Status {
  if (kind === 'stop') return 'stopped';
  return state === undefined ? 'down' : 'up';
}

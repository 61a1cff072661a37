import { ENVIRONMENT, type EventLine } from 'culprit/trace';

export type Status = 'absent' | 'up' | 'down' | 'stopped';

/** A status of a process from an event on, up to the next status. */
export interface Turn {
  /** Index of the event; -1 for the initial status. */
  readonly event: number;
  readonly status: Status;
}

/** The status of each process over time, for its line in the diagram. */
export class Lives {
  private readonly turns = new Map<string, Turn[]>();

  constructor(lanes: readonly string[], events: readonly EventLine[]) {
    const begun = new Set(events.filter(({ kind }) => isBeginning(kind)).map(({ process }) => process));
    for (const lane of lanes) {
      // A process without a start was up before the first event; the environment always is.
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

  /** The status after this event. */
  at(lane: string, event: number): Status {
    return this.turns.get(lane)?.[this.place(lane, event)]?.status ?? 'absent';
  }

  /** The changes of status for a range: the last one at or before `first`, and those up to `last`. */
  between(lane: string, first: number, last: number): readonly Turn[] {
    const from = this.place(lane, first);
    return (this.turns.get(lane) ?? []).slice(from, this.place(lane, last) + 1);
  }

  /** The index of the last change at or before an event, among those of its process. */
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

/** A process without a state after its own event is down: a handler that throws crashes its process. */
function statusAfter({ kind, state }: EventLine): Status {
  if (kind === 'stop') return 'stopped';
  return state === undefined ? 'down' : 'up';
}

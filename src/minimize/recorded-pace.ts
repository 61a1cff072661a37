import type { Event } from '../trace/event.ts';
import type { Trace } from '../trace/format.ts';

/** The times of an event, of a line of a trace, or of what was observed. */
interface Times {
  readonly atMs?: number | undefined;
  readonly sentMs?: number;
  readonly deadlineMs?: number;
  readonly observed?: readonly Times[] | undefined;
}

/**
 * The times of a replay, at the pace of the execution that it followed. On a busy machine a replay takes longer, and those that follow it would
 * wait as long. So between two events there is the time that was between them in the schedule. Less will not do: after a delay, a timer catches up.
 */
export class RecordedPace {
  /** When the events happened in the replay, and at the recorded pace. */
  private readonly knots: readonly (readonly [replayedMs: number, pacedMs: number])[];

  constructor(
    events: readonly Event[],
    schedule: readonly Event[],
    /** By index of an event of the replay: the index of the event of the schedule that it is. */
    places: ReadonlyMap<number, number>,
  ) {
    let [replayedMs, pacedMs, recordedMs] = [0, 0, 0];
    this.knots = events.map(({ atMs = replayedMs }, at) => {
      const recorded = schedule[places.get(at) ?? -1]?.atMs;
      const gapMs = Math.max(0, atMs - replayedMs);
      pacedMs += recorded === undefined ? gapMs : Math.max(0, recorded - recordedMs);
      replayedMs = Math.max(replayedMs, atMs);
      recordedMs = Math.max(recordedMs, recorded ?? 0);
      return [replayedMs, pacedMs] as const;
    });
  }

  /** The trace at this pace. */
  trace(trace: Trace): Trace {
    const { events, pending } = trace;
    return {
      ...trace,
      events: events.map((line) => this.retimed(line)),
      pending: pending.map((line) => this.retimed(line)),
    };
  }

  /** An event, or a line of a trace, at this pace. */
  retimed<T extends Times>(timed: T): T {
    const { atMs, sentMs, deadlineMs, observed } = timed;
    return {
      ...timed,
      ...(atMs === undefined ? {} : { atMs: this.at(atMs) }),
      ...(sentMs === undefined ? {} : { sentMs: this.at(sentMs) }),
      ...(deadlineMs === undefined ? {} : { deadlineMs: this.at(deadlineMs) }),
      ...(observed === undefined ? {} : { observed: observed.map((one) => this.retimed(one)) }),
    };
  }

  /** Between two events time passes as it did, until the second one happens. */
  private at(ms: number): number {
    const last = this.knots.findLastIndex(([replayedMs]) => replayedMs <= ms);
    const [replayedMs, pacedMs] = this.knots[last] ?? [0, 0];
    const untilMs = this.knots[last + 1]?.[1] ?? Infinity;
    return toMicroseconds(Math.min(pacedMs + ms - replayedMs, untilMs));
  }
}

const toMicroseconds = (ms: number): number => Math.round(ms * 1_000) / 1_000;

import type { ScheduleTimes } from '../schedule/replay/schedule-times.ts';
import type { Event } from '../trace/event.ts';
import type { Trace } from '../trace/format.ts';

/** The times of an event, of a line of a trace, or of what was observed. */
interface Times {
  readonly atMs?: number | undefined;
  readonly sentMs?: number;
  readonly deadlineMs?: number;
  readonly tookMs?: number;
  readonly observed?: readonly Times[] | undefined;
}

/** An event of a replay that the schedule has: when it happened in the replay and in the schedule, and when it does at the recorded pace. */
interface Anchor {
  readonly at: number;
  readonly replayedMs: number;
  readonly recordedMs: number;
  readonly pacedMs: number;
}

const START: Anchor = { at: -1, replayedMs: 0, recordedMs: 0, pacedMs: 0 };

/**
 * The events that the schedule has. Events between two of them, such as keepalives, take no time of their own: there would be more of it from one
 * replay to the next.
 */
function anchorsOf(
  events: readonly Event[],
  times: Pick<ScheduleTimes, 'of'>,
  places: ReadonlyMap<number, number>,
): readonly Anchor[] {
  const anchors: Anchor[] = [];
  for (const [at, { kind, atMs = 0 }] of events.entries()) {
    const recorded = times.of(places.get(at) ?? -1);
    if (recorded === undefined) continue;
    const before = anchors.at(-1) ?? START;
    const gapMs = Math.max(0, atMs - before.replayedMs);
    const recordedGapMs = Math.max(0, recorded - before.recordedMs);
    anchors.push({
      at,
      replayedMs: Math.max(before.replayedMs, atMs),
      recordedMs: Math.max(before.recordedMs, recorded),
      pacedMs: before.pacedMs + (kind === 'wait' ? Math.min(gapMs, recordedGapMs) : recordedGapMs),
    });
  }
  return anchors;
}

/**
 * The times of a replay, at the pace of the execution that it followed. On a busy machine a replay takes longer, and those that follow it would
 * wait as long. So between two events there is the time that was between them in the schedule. Less will not do: after a delay, a timer catches up.
 * Only a wait of the workload may take less, since its condition may be true sooner in a part of an execution.
 */
export class RecordedPace {
  /** When the events happened in the replay, and at the recorded pace. */
  private readonly knots: readonly (readonly [replayedMs: number, pacedMs: number])[];

  constructor(
    events: readonly Event[],
    /** When the events of the schedule happened, without the time of waits that it leaves out. */
    times: Pick<ScheduleTimes, 'of'>,
    /** By index of an event of the replay: the index of the event of the schedule that it is. */
    places: ReadonlyMap<number, number>,
  ) {
    const anchors = anchorsOf(events, times, places);
    let [replayedMs, last] = [0, -1];
    this.knots = events.map(({ atMs = replayedMs }, at) => {
      replayedMs = Math.max(replayedMs, atMs);
      if (anchors[last + 1]?.at === at) last += 1;
      const { pacedMs, replayedMs: sinceMs } = anchors[last] ?? START;
      const untilMs = anchors[last + 1]?.pacedMs ?? Infinity;
      return [replayedMs, Math.min(pacedMs + replayedMs - sinceMs, untilMs)] as const;
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
    const { atMs, sentMs, deadlineMs, tookMs, observed } = timed;
    return {
      ...timed,
      ...(atMs === undefined ? {} : { atMs: this.at(atMs) }),
      ...(sentMs === undefined ? {} : { sentMs: this.at(sentMs) }),
      ...(deadlineMs === undefined ? {} : { deadlineMs: this.at(deadlineMs) }),
      ...(atMs === undefined || tookMs === undefined
        ? {}
        : { tookMs: toMicroseconds(this.at(atMs) - this.at(atMs - tookMs)) }),
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

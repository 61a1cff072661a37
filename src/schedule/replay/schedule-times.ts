import type { RecordedMoment } from '../../kernel/ports.ts';
import type { Event } from '../../trace/event.ts';

/** When an event happened in the recording, and when it does now. */
interface HappenedAt {
  readonly recordedMs: number;
  readonly nowMs: number;
}

/** How far a replay has come. */
export interface TimeProgress {
  readonly lastMs: number;
  readonly lastRecordedMs: number;
  readonly leftOutMs: number;
  readonly happened: readonly HappenedAt[];
}

/**
 * When the events of a schedule happened in their recording, and when they do in a replay. The time of a wait that the schedule leaves
 * out is left out, too: without it, what follows happens so much earlier.
 */
export class ScheduleTimes {
  private readonly recordedMs: readonly (number | undefined)[];
  /** When the last event of the schedule happened in this replay, and when it did in the recording. */
  lastMs = 0;
  private lastRecordedMs = 0;
  /** How much later that was by the clock of the recording, which also has the waits that the schedule leaves out. */
  private leftOutMs = 0;
  /** The events that have happened, in order: when they did in the recording, and when they do now. */
  private readonly happened: HappenedAt[] = [];

  constructor(
    recording: readonly Event[],
    private readonly schedule: readonly Event[],
  ) {
    const kept = new Set(schedule);
    const leftOut = new Map<Event, number>();
    let ms = 0;
    for (const event of recording) {
      if (event.kind === 'wait' && !kept.has(event)) ms += event.tookMs;
      leftOut.set(event, ms);
    }
    this.recordedMs = schedule.map((event) =>
      event.atMs === undefined ? undefined : event.atMs - (leftOut.get(event) ?? 0),
    );
    this.continueAt(0, 0);
  }

  get progress(): TimeProgress {
    const { lastMs, lastRecordedMs, leftOutMs, happened } = this;
    return { lastMs, lastRecordedMs, leftOutMs, happened: [...happened] };
  }

  /** A replay of the beginning of the schedule has come so far. */
  continueAfter({ lastMs, lastRecordedMs, leftOutMs, happened }: TimeProgress): void {
    this.lastMs = lastMs;
    this.lastRecordedMs = lastRecordedMs;
    this.leftOutMs = leftOutMs;
    this.happened.push(...happened);
  }

  /** When an event of the schedule happened; undefined if that is not recorded. */
  of(at: number): number | undefined {
    return this.recordedMs[at];
  }

  /** When an event and the one that follows it in the schedule happened; undefined if that is not recorded. */
  momentOf(at: number): RecordedMoment | undefined {
    const atMs = this.of(at);
    return atMs === undefined ? undefined : { atMs, beforeMs: this.of(at + 1) ?? Number.POSITIVE_INFINITY };
  }

  /** The event happens now. */
  happens(at: number, nowMs: number): void {
    const recordedMs = this.of(at);
    if (recordedMs !== undefined) this.happened.push({ recordedMs, nowMs });
    this.continueAt(at, nowMs);
  }

  /** What follows is due as long after this moment as it was after this event in the recording. */
  continueAt(at: number, nowMs: number): void {
    this.lastMs = nowMs;
    this.lastRecordedMs = this.of(at) ?? this.lastRecordedMs;
    this.leftOutMs = (this.schedule[at]?.atMs ?? 0) - (this.of(at) ?? 0);
  }

  /** When an event is due in the replay. */
  dueMs(at: number): number {
    return this.lastMs + Math.max(0, (this.of(at) ?? this.lastRecordedMs) - this.lastRecordedMs);
  }

  /** How far the schedule has come, by the clock of its recording: not beyond the event that is next. */
  reached(next: number, nowMs: number): number {
    const untilMs = next < this.schedule.length ? this.of(next) : undefined;
    return Math.min(this.lastRecordedMs + nowMs - this.lastMs, untilMs ?? Number.POSITIVE_INFINITY);
  }

  /** The time of the recording that this moment of the replay is like. */
  inRecording(nowMs: number): number {
    return this.lastRecordedMs + this.leftOutMs + nowMs - this.lastMs;
  }

  /** The moment of the replay that is so long before an event as it was in the recording, by the events that have happened. */
  replayed(at: number, beforeMs: number): number {
    const recordedMs = (this.of(at) ?? 0) - beforeMs;
    const last = this.happened.findLast((event) => event.recordedMs <= recordedMs);
    return last === undefined ? recordedMs : last.nowMs + (recordedMs - last.recordedMs);
  }
}

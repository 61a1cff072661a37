import type { Session } from '../../kernel/ports.ts';
import type { EndedWait } from '../../trace/event.ts';
import { Activity } from '../activity.ts';
import { endedWait } from '../ended-wait.ts';
import type { FindAwaited } from './awaited.ts';
import type { ScheduleTimes } from './schedule-times.ts';

/** So many times as long as in the recording, a condition is awaited at least: the machine may be busy. */
const PATIENCE = 4;

interface WaitBounds {
  readonly awaited: FindAwaited;
  readonly epsilonMs: number;
  /** Whether the replay has all events of the recording. */
  readonly isWhole: boolean;
}

/** The waits of a schedule, in a replay: they end when their condition is true, or when their time is over. */
export class ReplayedWaits {
  private readonly activity = new Activity();

  constructor(
    private readonly times: ScheduleTimes,
    private readonly bounds: WaitBounds,
  ) {}

  /** The event of a wait that is over now; otherwise the time until it may be. `dueMs`: when it is over if it takes as long as recorded. */
  endOf(at: number, recorded: EndedWait, session: Session, dueMs: number): EndedWait | number {
    const { nowMs } = session;
    const beganMs = Math.min(nowMs, this.times.replayed(at, recorded.tookMs));
    const inMs = this.conditionInMs(recorded, session);
    const leftMs = (inMs === undefined ? dueMs : beganMs + this.patienceMs(recorded)) - nowMs;
    if (inMs !== 0 && leftMs > 0) return Math.min(leftMs, inMs ?? Infinity);
    return endedWait(recorded, nowMs - beganMs, inMs === undefined ? recorded.met : inMs === 0);
  }

  /** When the condition of a wait may be true at the earliest, from now; undefined if that cannot be known. */
  private conditionInMs(recorded: EndedWait, session: Session): number | undefined {
    const awaited = this.bounds.awaited(recorded);
    if (awaited === undefined) return undefined;
    if ('holds' in awaited) return awaited.holds(session.world) ? 0 : Infinity;
    this.activity.note(session);
    return Math.max(0, this.activity.lastMs + awaited.quietMs - session.nowMs);
  }

  /**
   * How long a wait may take: its bound. A part of the recording may lack what makes the condition true, so a multiple of the recorded
   * time has to do there; otherwise each such candidate would take the whole bound.
   */
  private patienceMs({ withinMs = Infinity, tookMs }: EndedWait): number {
    const { isWhole, epsilonMs } = this.bounds;
    return isWhole && withinMs < Infinity ? withinMs : Math.min(withinMs, PATIENCE * tookMs + epsilonMs);
  }
}

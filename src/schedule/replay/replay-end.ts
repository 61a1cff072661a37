import { Pause, type Session } from '../../kernel/ports.ts';
import { isInternal, type Event } from '../../trace/event.ts';
import { Activity } from '../activity.ts';
import type { ScheduleTimes } from './schedule-times.ts';
import type { WaitingOptions } from './waiting-options.ts';

/** When a replay that waits is over: nothing has happened for a while, or so much time has passed since the schedule. */
export class ReplayEnd {
  private readonly activity = new Activity();
  /** How much had happened when it last looked, after the schedule. */
  private seen = 0;
  /** The same since the schedule began, and when that was. */
  private active = -1;
  private activeMs = 0;
  /** The place of the last external in the schedule. */
  private readonly lastExternal: number;

  constructor(
    private readonly schedule: readonly Event[],
    private readonly times: ScheduleTimes,
    private readonly options: Pick<WaitingOptions, 'end' | 'epsilonMs'>,
  ) {
    this.lastExternal = schedule.findLastIndex((event) => !isInternal(event));
  }

  /** The pause at the end of the schedule: what follows may still appear. Undefined when the replay is over. */
  pause(session: Session): Pause | undefined {
    const { end, epsilonMs } = this.options;
    const seen = this.activity.of(session);
    const isActive = seen !== this.seen || session.world.delayed.length > 0;
    if (isActive && 'quietMs' in end) this.times.lastMs = session.nowMs;
    this.seen = seen;
    const endsMs = this.times.lastMs + ('quietMs' in end ? end.quietMs : end.afterMs);
    const leftMs = Math.min(endsMs, this.quietAfter(this.schedule.length, session) + epsilonMs) - session.nowMs;
    return leftMs > 0 ? new Pause({ ms: leftMs }) : undefined;
  }

  /**
   * When the system is quiet, if all externals have happened: nothing has for `quietMs`. Then the execution is over, although the
   * recording went on.
   */
  quietAfter(at: number, session: Session): number {
    const { end } = this.options;
    const active = this.activity.of(session);
    if (active !== this.active || session.world.delayed.length > 0) this.activeMs = session.nowMs;
    this.active = active;
    return 'quietMs' in end && at > this.lastExternal ? this.activeMs + end.quietMs : Number.POSITIVE_INFINITY;
  }
}

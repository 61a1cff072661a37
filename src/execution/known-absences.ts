import type { WaitingReport } from '../schedule/replay/waiting-report.ts';
import type { Event } from '../trace/event.ts';

/**
 * Which events of a schedule do not appear: the next replay of the same schedule does not wait for them. An event that has appeared
 * in one of its replays is awaited again, because what appears by chance is absent by chance.
 */
export class KnownAbsences {
  private readonly known = new WeakMap<readonly Event[], { absent: Set<number>; appeared: Set<number> }>();

  /** The indices of events that appeared in no replay of this schedule. */
  of(schedule: readonly Event[]): ReadonlySet<number> {
    return this.entry(schedule).absent;
  }

  learn(schedule: readonly Event[], report: WaitingReport): void {
    const { absent, appeared } = this.entry(schedule);
    for (const at of report.appeared) appeared.add(at);
    for (const at of report.absent) absent.add(at);
    for (const at of appeared) absent.delete(at);
  }

  private entry(schedule: readonly Event[]): { absent: Set<number>; appeared: Set<number> } {
    const entry = this.known.get(schedule) ?? { absent: new Set<number>(), appeared: new Set<number>() };
    this.known.set(schedule, entry);
    return entry;
  }
}

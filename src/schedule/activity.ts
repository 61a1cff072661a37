import type { Session } from '../kernel/ports.ts';

/** When something last happened in a session, or arrived: arrivals count also if they are no event. */
export class Activity {
  lastMs = 0;
  private seen = 0;

  /** Looks whether something has happened since the last look. */
  note({ recording, enabled, nowMs }: Session): void {
    const seen = recording.events.length + recording.notes.length + enabled.length;
    if (seen !== this.seen) this.lastMs = nowMs;
    this.seen = seen;
  }

  /** The next event is no activity. */
  overlookNext(): void {
    this.seen += 1;
  }

  isQuietFor(ms: number, nowMs: number): boolean {
    return nowMs - this.lastMs >= ms;
  }
}

import type { Session } from '../kernel/ports.ts';
import type { Note } from '../kernel/recording.ts';
import { isInternal, type External, type Internal } from '../trace/event.ts';

/** Knows when something last happened in a session. Neither the background of a system counts, nor that a wait of the workload is over. */
export class Activity {
  lastMs = 0;
  /** How much had happened at the last look, and arrived: arrivals count also if they are no event. */
  private seen = 0;
  private counted = 0;
  private readonly looked = { events: 0, notes: 0 };

  /** How much has happened so far: events and notes. */
  of(session: Session): number {
    const { events, notes } = session.recording;
    for (const event of events.since(this.looked.events)) if (isActivity(event, session)) this.counted += 1;
    for (const note of notes.since(this.looked.notes)) if (!isOfBackground(note, session)) this.counted += 1;
    this.looked.events = events.length;
    this.looked.notes = notes.length;
    return this.counted;
  }

  /** Looks whether something has happened since the last look. */
  note(session: Session): void {
    const arrived = session.enabled.filter((event) => !session.isBackground(event)).length;
    const seen = this.of(session) + arrived;
    // What the environment delays is still to come.
    if (seen !== this.seen || session.world.delayed.length > 0) this.lastMs = session.nowMs;
    this.seen = seen;
  }

  isQuietFor(ms: number, nowMs: number): boolean {
    return nowMs - this.lastMs >= ms;
  }
}

/** Whether an event shows that the session is not quiet. */
export const isActivity = (event: Internal | External, session: Session): boolean =>
  isInternal(event) ? !session.isBackground(event) : event.kind !== 'wait';

/** Whether a message of the background was dropped: it was sent over a link that is cut, for example. */
const isOfBackground = (note: Note, session: Session): boolean =>
  note.kind === 'dropped' && session.isBackground(note.message);

import type { Session } from '../kernel/ports.ts';
import type { Note } from '../kernel/recording.ts';
import { isInternal } from '../trace/event.ts';

/** Counts what shows that a session is not quiet: its events and notes, but nothing of its background. */
export class Activity {
  private counted = 0;
  private readonly looked = { events: 0, notes: 0 };

  /** How much has happened so far. */
  of(session: Session): number {
    const { events, notes } = session.recording;
    for (const event of events.since(this.looked.events))
      if (!isInternal(event) || !session.isBackground(event)) this.counted += 1;
    for (const note of notes.since(this.looked.notes)) if (!isOfBackground(note, session)) this.counted += 1;
    this.looked.events = events.length;
    this.looked.notes = notes.length;
    return this.counted;
  }
}

/** Whether a message of the background was dropped: it was sent over a link that is cut, for example. */
const isOfBackground = (note: Note, session: Session): boolean =>
  note.kind === 'dropped' && session.isBackground(note.message);

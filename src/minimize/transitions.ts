import type { ContentOf } from '../schedule/replay/match.ts';
import { DataDigest } from '../trace/data-digest.ts';
import { hex, mixHi, mixLo, type Digest } from '../trace/digest.ts';
import { externalOf, isInternal, type Event } from '../trace/event.ts';
import { dataOf, laneOf, peerOf, topicOf } from '../trace/event-subject.ts';
import type { Session } from '../kernel/ports.ts';
import { NotRepeated } from '../execution/prefix-sessions.ts';

/**
 * The transitions of one execution. A transition is an event and one thing that it sends, sets or requests. It is
 * identified by its line of descent: the content of that thing, the content of the event that made it, the event that
 * made that one, and so on up to an external. Contents are compared rather than identities, because identities change
 * with the history of a process.
 */
export class Transitions {
  private readonly observed = new Set<string>();

  private constructor(private readonly contentOf: ContentOf) {}

  /** Observes an execution, by executing it in a new session. */
  static async observedIn(session: Session, events: readonly Event[], contentOf: ContentOf): Promise<Transitions> {
    const transitions = new Transitions(contentOf);
    const descent = new Descent(session, contentOf);
    while (session.world.length < events.length) {
      const event = events[session.world.length] as Event;
      const found = isInternal(event) ? session.find(event) : externalOf(event);
      if (found === undefined) throw new NotRepeated();
      await session.perform(found);
      // After every event, because a timer may be canceled before the end.
      for (const line of descent.added()) transitions.observed.add(hex(line));
    }
    await session.close();
    return transitions;
  }

  /** Whether this session has sent, set or requested something that was not observed. */
  divergeIn(session: Session): boolean {
    return new Descent(session, this.contentOf).added().some((line) => !this.observed.has(hex(line)));
  }
}

/** The lines of descent in one session. */
class Descent {
  /** By event. */
  private readonly lines: Digest[] = [];
  private readonly seen = new WeakSet<Event>();
  private notes = 0;

  constructor(
    private readonly session: Session,
    private readonly contentOf: ContentOf,
  ) {}

  /** The lines of events that happened, were dropped or became pending since the last call. */
  added(): Digest[] {
    const { recording, world } = this.session;
    const happened = recording.events.since(this.lines.length);
    for (const event of happened) this.lines.push(this.lineOf(event));
    const lines = happened.length === 0 ? [] : this.lines.slice(-happened.length);
    const notes = recording.notes.since(this.notes);
    this.notes += notes.length;
    const dropped = notes.flatMap((note) => (note.kind === 'dropped' ? [note.message] : []));
    for (const one of [...world.pending, ...dropped]) {
      if (this.seen.has(one)) continue;
      this.seen.add(one);
      lines.push(this.lineOf(one));
    }
    return lines;
  }

  private lineOf(event: Event): Digest {
    const said = new DataDigest().data(this.descriptionOf(event));
    const maker = this.lines[event.cause] ?? NOTHING;
    return { hi: mixHi(mixHi(maker.hi, said.hi), said.lo), lo: mixLo(mixLo(maker.lo, said.lo), said.hi) };
  }

  private descriptionOf(event: Event): unknown {
    return [event.kind, event.process, peerOf(event), topicOf(event), this.dataIn(event), laneOf(event)];
  }

  private dataIn(event: Event): unknown {
    switch (event.kind) {
      case 'deliver':
      case 'return':
        return this.contentOf(event.message);
      case 'complete':
      case 'lose':
      case 'duplicate':
      case 'delay':
      case 'hold':
        // The value of an operation is not known when it is requested, and a target is an identity.
        return undefined;
      default:
        return dataOf(event);
    }
  }
}

const NOTHING: Digest = { hi: 0, lo: 0 };

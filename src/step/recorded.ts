import { CulpritError } from '../error.ts';
import { hex } from '../trace/digest.ts';
import { externalOf, isConsequence, isInternal, type Event, type External, type Internal } from '../trace/event.ts';
import { portableText } from '../trace/portable.ts';
import { plural } from '../plural.ts';
import type { Session } from '../kernel/ports.ts';

/** An event of the recording that can happen now. */
interface Recorded {
  readonly event: Internal | External;
  /** Its number in the recording. */
  readonly number: number;
}

/** The recording that a session began with. Its events are known again by their identity, whatever else has happened. */
export class Recording {
  private readonly numbers: ReadonlyMap<string, number>;

  constructor(readonly events: readonly Event[]) {
    this.numbers = new Map(events.map((event, at) => [hex(event), at + 1]));
  }

  /** Its number in the recording. */
  numberOf(event: Internal): number | undefined {
    return this.numbers.get(hex(event));
  }

  /** The first event that has not happened and can now; `happened` has the identities of those that have. */
  next(session: Session, happened: ReadonlySet<string>): Recorded | undefined {
    return this.first(session, happened, () => true);
  }

  /** The same of what the environment does. */
  nextExternal(session: Session, happened: ReadonlySet<string>): Recorded | undefined {
    return this.first(session, happened, (event) => !isInternal(event));
  }

  /** Says why it does not go on. */
  restLine(happened: ReadonlySet<string>): string {
    const left = this.events.filter((event) => !happened.has(hex(event))).length;
    return left === 0
      ? 'recorded  all of it has happened'
      : `recorded  of ${plural(left, 'more event')} none can happen now`;
  }

  private first(
    session: Session,
    happened: ReadonlySet<string>,
    isMeant: (event: Event) => boolean,
  ): Recorded | undefined {
    for (const [at, event] of this.events.entries()) {
      if (happened.has(hex(event)) || !isMeant(event) || isConsequence(event, this.events)) continue;
      const found = possible(session, event);
      if (found !== undefined) return { event: found, number: at + 1 };
    }
    return undefined;
  }
}

function possible(session: Session, wanted: Event): Internal | External | undefined {
  if (isInternal(wanted)) return session.find(wanted);
  const external = externalOf(wanted);
  return isPossible(session, external) ? external : undefined;
}

/** Where the system has changed since, names may mean nothing any more: that is not who asks for the next event's mistake. */
function isPossible(session: Session, external: External): boolean {
  try {
    return session.refusal(external) === undefined;
  } catch (error) {
    if (error instanceof CulpritError) return false;
    throw error;
  }
}

export const identitiesOf = (events: readonly Event[]): Set<string> => new Set(events.map(hex));

/** Whether they say the same. */
export const isSameExternal = (one: External, other: External): boolean =>
  portableText(one, 'the external event') === portableText(other, 'the external event');

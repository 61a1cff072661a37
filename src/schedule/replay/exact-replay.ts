import { CulpritError } from '../../error.ts';
import {
  externalOf,
  isInternal,
  type Event,
  type External,
  type ExternalEvent,
  type Internal,
} from '../../trace/event.ts';
import type { Session, Strategy } from '../../kernel/ports.ts';
import { refusalNow } from './recorded-external.ts';

/** The execution does not follow its recording. */
export class ReplayDiverged extends CulpritError {
  readonly code = 'REPLAY_DIVERGED';

  constructor(
    /** Number of the first event that is not as recorded, from 1. */
    readonly event: number,
    /** What is not as recorded: a sentence. */
    readonly what: string,
    next = 'Either the system has changed, or it is not deterministic: see `culprit doctor`.',
  ) {
    super(`event ${event}: ${what}`, next);
  }
}

/** Exactly the events of a recording, in its order, told apart by their causal identity. */
export class ReplayStrategy implements Strategy {
  constructor(private readonly schedule: readonly Event[]) {}

  next(session: Session): Internal | External | undefined {
    // What an action brings about happens with it, so the place in the schedule is the number of events so far.
    const at = session.world.length;
    const wanted = this.schedule[at];
    if (wanted === undefined) return undefined;
    return isInternal(wanted) ? this.enabled(session, wanted, at) : this.allowed(session, wanted, at);
  }

  private enabled(session: Session, wanted: Internal, at: number): Internal {
    const found = session.find(wanted);
    if (found !== undefined) return found;
    const ready = session.enabled.map(brief).slice(0, 8).join(', ');
    throw new ReplayDiverged(
      at + 1,
      `the recording has ${brief(wanted)}, but ${ready === '' ? 'nothing can happen' : `only ${ready} can happen`}.`,
    );
  }

  private allowed(session: Session, wanted: ExternalEvent, at: number): External {
    const external = externalOf(wanted);
    const why = refusalNow(session, external);
    if (why !== undefined) throw new ReplayDiverged(at + 1, `the recording has ${brief(wanted)}, but ${why}.`);
    return external;
  }
}

/** Follows a recording for so many events, then lets another strategy go on: what else could have come of it? */
export class ReplayThen implements Strategy {
  private readonly replay: ReplayStrategy;

  constructor(
    schedule: readonly Event[],
    events: number,
    private readonly then: Strategy,
  ) {
    this.replay = new ReplayStrategy(schedule.slice(0, events));
  }

  next(session: Session): Internal | External | undefined {
    return this.replay.next(session) ?? this.then.next(session);
  }
}

const brief = (event: Event): string => {
  switch (event.kind) {
    case 'deliver':
      return `${event.process} receiving ${JSON.stringify(event.message)} from ${event.from}`;
    case 'fire':
      return `${event.process} firing ${event.timer}`;
    case 'complete':
      return `${event.process} completing ${event.operation} ${event.key}`;
    default:
      return `${event.process} ${event.kind}`;
  }
};

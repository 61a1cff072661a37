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
    /** The number of the first event that differs from the recording, from 1. */
    readonly event: number,
    /** The difference, as a sentence. */
    readonly what: string,
    next = 'Either the system has changed, or it is not deterministic: see `culprit doctor`.',
  ) {
    super(`event ${event}: ${what}`, next);
  }
}

/** Replays exactly the events of a recording, in its order. An event is identified by its causal identity. */
export class ReplayStrategy implements Strategy {
  constructor(private readonly schedule: readonly Event[]) {}

  next(session: Session): Internal | External | undefined {
    // The consequences of an action happen with it, so the index in the schedule is the number of events so far.
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

/** Replays the first events of a recording, then continues with another strategy. */
export class ReplayThen implements Strategy {
  private readonly replay: ReplayStrategy;

  constructor(
    schedule: readonly Event[],
    events: number,
    private readonly then: Strategy,
  ) {
    this.replay = new ReplayStrategy(schedule.slice(0, events));
  }

  next(session: Session): ReturnType<Strategy['next']> {
    return this.replay.next(session) ?? this.then.next(session);
  }
}

const brief = (event: Event): string => {
  switch (event.kind) {
    case 'deliver':
      return `${event.process} receiving ${JSON.stringify(event.message)} from ${event.from}${event.lane === undefined ? '' : ` on lane ${event.lane}`}`;
    case 'fire':
      return `${event.process} firing ${event.timer}`;
    case 'complete':
      return `${event.process} completing ${event.operation} ${event.key}`;
    default:
      return `${event.process} ${event.kind}`;
  }
};

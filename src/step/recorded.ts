import { CulpritError } from '../error.ts';
import { hex } from '../trace/digest.ts';
import { externalOf, isConsequence, isInternal, type Event, type External, type Internal } from '../trace/event.ts';
import { portableText } from '../trace/json-encoding.ts';
import type { Undelivered } from '../trace/undelivered.ts';
import { plural } from '../text/plural.ts';
import { Pause, type Session } from '../kernel/ports.ts';
import { awaitedIn } from '../schedule/replay/awaited.ts';
import { LenientReplay, unknownTargets } from '../schedule/replay/lenient-replay.ts';
import { Matcher } from '../schedule/replay/match.ts';
import type { Move, Track } from './track.ts';

/** An event of the recording that can happen now. */
interface Recorded {
  readonly event: Internal | External;
  /** Its number in the recording. */
  readonly number: number;
}

/** The recording that a session began with. Its events are recognized by identity, even after other events. */
export class LoadedRecording {
  private readonly ids: readonly string[];
  private readonly numbers: ReadonlyMap<string, number>;

  constructor(
    readonly events: readonly Event[],
    readonly undelivered: readonly Undelivered[] = [],
  ) {
    this.ids = events.map(hex);
    this.numbers = new Map(this.ids.map((id, at) => [id, at + 1]));
  }

  /** The number of an event in the recording. */
  numberOf(event: Internal): number | undefined {
    return this.numbers.get(hex(event));
  }

  /**
   * The first event of the recording that has not happened and can happen now; `happened` has the identities of past
   * events. All events before `from` have happened.
   */
  next(session: Session, happened: ReadonlySet<string>, from = 0): Recorded | undefined {
    return this.first(session, happened, from, () => true);
  }

  /** The index of the first event that has not happened; all before `from` have. */
  firstLeft(happened: ReadonlySet<string>, from = 0): number {
    let at = from;
    while (at < this.ids.length && happened.has(this.ids[at] as string)) at += 1;
    return at;
  }

  /** The same for externals. */
  nextExternal(session: Session, happened: ReadonlySet<string>): Recorded | undefined {
    return this.first(session, happened, 0, (event) => !isInternal(event));
  }

  /** Says why the recording cannot be followed further. */
  restLine(happened: ReadonlySet<string>): string {
    const left = this.events.filter((event) => !happened.has(hex(event))).length;
    return left === 0
      ? 'recorded  every recorded event has happened'
      : `recorded  ${plural(left, 'event')} left, none of them enabled now`;
  }

  private first(
    session: Session,
    happened: ReadonlySet<string>,
    from: number,
    isMeant: (event: Event) => boolean,
  ): Recorded | undefined {
    for (let at = from; at < this.events.length; at++) {
      const event = this.events[at] as Event;
      if (happened.has(this.ids[at] as string) || !isMeant(event) || isConsequence(event, this.events)) continue;
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

/** If the system has changed, names may be unknown: that is no mistake of the user. */
function isPossible(session: Session, external: External): boolean {
  try {
    return session.refusal(external) === undefined;
  } catch (error) {
    if (error instanceof CulpritError) return false;
    throw error;
  }
}

export const identitiesOf = (events: readonly Event[]): Set<string> => new Set(events.map(hex));

/** Whether two externals have the same content. */
export const isSameExternal = (one: External, other: External): boolean =>
  portableText(one, 'the external event') === portableText(other, 'the external event');

/** Follows a recording, and says in the end why it cannot be followed further. */
export interface Follower {
  readonly next: () => Move | Pause | undefined;
  readonly restLine: () => string;
}

/** The events of the recording in order; events that cannot happen are skipped. */
export const followRecording = (recording: LoadedRecording, track: Track): Follower => ({
  next: movesAlong(recording, track),
  restLine: () => recording.restLine(identitiesOf(track.events)),
});

function movesAlong(recording: LoadedRecording, track: Track): () => Move | undefined {
  const happened = identitiesOf(track.events);
  let seen = track.session.world.length;
  let left = 0;
  return () => {
    for (const event of track.session.recording.events.since(seen)) happened.add(hex(event));
    seen = track.session.world.length;
    left = recording.firstLeft(happened, left);
    const found = recording.next(track.session, happened, left);
    return found && { event: found.event, ...ofWorkload(found.event, track) };
  };
}

/**
 * The same where processes act by themselves: each event is awaited for its recorded gap and longer, as in the first replay. One that
 * does not appear is skipped.
 */
export function followWaiting(recording: LoadedRecording, track: Track): Follower {
  const { origin, session, events, plan } = track;
  const { hints, declaration, pace, waiting: settings } = origin.system;
  const replay = new LenientReplay(recording.events, {
    matcher: Matcher.ofLive(hints.contentOf),
    likeness: 'content',
    absent: 'unblock',
    choices: undefined,
    targets: unknownTargets(recording.events),
    waiting: {
      epsilonMs: settings?.firstEpsilonMs ?? 0,
      unexpected: settings?.unexpected ?? 'pass',
      recording: recording.events,
      undelivered: recording.undelivered,
      fingerprint: declaration.fingerprint ?? ((message) => message),
      isControlled: (process) => declaration.processes.get(process)?.host?.controlled !== false,
      awaited: awaitedIn(() => plan, pace?.quietMs ?? 0),
      end: { quietMs: 0 },
      // An execution made by hand cannot start over.
      restarts: 0,
      absent: new Set(),
      begun: { events, nowMs: session.nowMs },
    },
  });
  const move = (): Move | Pause | undefined => {
    const next = replay.next(session);
    return next === undefined || next instanceof Pause ? next : { event: next, ...ofWorkload(next, track) };
  };
  return { next: move, restLine: () => appearedLine(replay.missed.length) };
}

const appearedLine = (missed: number): string =>
  missed === 0
    ? 'recorded  every recorded event has happened'
    : `recorded  the end is reached; ${plural(missed, 'event')} did not appear in time`;

/** The progress of the workload after a recorded event, if the event belongs to the workload. */
function ofWorkload(event: Move['event'], { plan, progress }: Track): { readonly workload?: number } {
  if (isInternal(event)) return {};
  const at = plan.findIndex(
    (item, index) => index >= progress.at && item.kind !== 'until' && isSameExternal(item, event),
  );
  return at < 0 ? {} : { workload: at + 1 };
}

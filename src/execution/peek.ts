import { HOLDS } from '../trace/verdict.ts';
import type { WaitingSettings } from '../kernel/declaration.ts';
import type { Session, Strategy } from '../kernel/ports.ts';
import { targetOf } from '../hosts/target.ts';
import { LenientReplay, unknownTargets } from '../schedule/replay/lenient-replay.ts';
import { Matcher } from '../schedule/replay/match.ts';
import type { Passing } from '../schedule/replay/passing.ts';
import type { WaitingOptions } from '../schedule/replay/waiting-options.ts';
import { digestText, hex, mixHi, mixLo } from '../trace/digest.ts';
import { isConsequence, isInternal, type Event, type Internal } from '../trace/event.ts';
import { PeekSessions, type PeekSession } from './peek-sessions.ts';
import type { Origin } from './record.ts';
import { judged } from './run-and-judge.ts';

/** An external with what it brings about at once, and the internal events that came before the next external. */
interface Interval {
  readonly input: readonly Event[];
  readonly expected: readonly Internal[];
  /** The time from the external to the next one, or to the last event. */
  readonly gapMs: number;
}

/** Replays a prefix with these changes to how it waits. */
type FollowPrefix = (
  prefix: readonly Event[],
  changes: Pick<WaitingOptions, 'unexpected' | 'end' | 'passing'>,
  execute: (waiting: WaitingOptions) => Promise<Session>,
) => Promise<Session>;

/**
 * Infers which internal events of a schedule still appear after externals were left out (PEEK, figure 4.2 of STS): replays the
 * events up to each external, lets everything happen until the next external is due, and keeps the recorded events that appeared.
 */
export class Peek {
  /** The number of prefixes that were replayed. */
  prefixes = 0;
  /** The number of expected events that appeared more often than recorded. */
  ambiguous = 0;
  private readonly matcher: Matcher;
  /** What appeared after which prefix: candidates share most of theirs. */
  private readonly known = new Map<string, readonly Internal[]>();

  constructor(
    private readonly origin: Origin,
    private readonly settings: Pick<WaitingSettings, 'peekMs'>,
    private readonly follow: FollowPrefix,
  ) {
    this.matcher = Matcher.ofLive(origin.system.hints.contentOf);
  }

  /** The externals of the schedule, and the internal events that appear. */
  async inferred(schedule: readonly Event[], recording: readonly Event[], passing: Passing): Promise<readonly Event[]> {
    // What passes by a rule is expected nowhere.
    const compared = schedule.filter((event) => !passing.hasRecorded(event));
    const { system, seed } = this.origin;
    const sessions = new PeekSessions(() => targetOf(system).open(seed));
    let inferred: readonly Event[] = [];
    try {
      for (const interval of intervalsOf(compared, recording)) {
        const prefix = [...inferred, ...interval.input];
        const appearing =
          interval.expected.length === 0 ? [] : await this.appearing(prefix, interval, passing, sessions);
        inferred = [...prefix, ...appearing];
      }
    } finally {
      await sessions.close();
    }
    return inferred;
  }

  private async appearing(
    prefix: readonly Event[],
    { expected, gapMs }: Interval,
    passing: Passing,
    sessions: PeekSessions,
  ): Promise<readonly Internal[]> {
    const key = keyOf(prefix, expected);
    const known = this.known.get(key) ?? this.matched(expected, await this.watched(prefix, gapMs, passing, sessions));
    this.known.set(key, known);
    return known;
  }

  /** The internal events that happen besides those of the prefix. */
  private async watched(
    prefix: readonly Event[],
    gapMs: number,
    passing: Passing,
    sessions: PeekSessions,
  ): Promise<readonly Internal[]> {
    const end = { afterMs: gapMs + this.settings.peekMs };
    this.prefixes += 1;
    const { recording } = await this.follow(prefix, { unexpected: 'pass', end, passing }, (waiting) =>
      this.execute(prefix, waiting, sessions),
    );
    const happened = recording.events.since(0).filter(isInternal);
    for (const event of prefix.filter(isInternal)) this.takeOne(happened, event);
    return happened;
  }

  /** Replays the prefix, from the last checkpoint if there is one, and makes the next; then lets everything happen. */
  private async execute(prefix: readonly Event[], waiting: WaitingOptions, sessions: PeekSessions): Promise<Session> {
    const { matcher } = this;
    const judge = { oracle: { judge: () => HOLDS }, handlerMs: this.origin.handlerMs };
    const targets = unknownTargets(prefix);
    const options = { matcher, likeness: 'content', absent: 'unblock', choices: undefined, targets } as const;
    const replayIn = ({ session, done, after }: PeekSession) => ({
      session,
      strategy: new LenientReplay(prefix, { ...options, waiting: { ...waiting, after } }, done),
    });
    let replay = replayIn(await sessions.begin());
    const begun = (isAgain: boolean) => (replay = isAgain ? replayIn(sessions.fresh()) : replay);
    const { verdict } = await judged(
      (isAgain) => ({ session: begun(isAgain).session, strategy: upToEnd(replay.strategy, prefix.length) }),
      judge,
      prefix.length,
    );
    if (verdict?.kind !== 'holds') return replay.session;
    await sessions.keep(prefix.length, replay);
    return (await judged(begun, judge, prefix.length)).session;
  }

  /** The expected events that are among those that happened, each as often as it happened at most. */
  private matched(expected: readonly Internal[], happened: readonly Internal[]): readonly Internal[] {
    const left = [...happened];
    const found = expected.filter((event) => this.takeOne(left, event));
    this.ambiguous += found.filter((event) => this.matcher.find(left, event, 'content').length > 0).length;
    return found;
  }

  /** Takes an event out of the list that is like this one; false if there is none. */
  private takeOne(events: Internal[], wanted: Internal): boolean {
    const [found] = this.matcher.find(events, wanted, 'content');
    if (found === undefined) return false;
    events.splice(events.indexOf(found), 1);
    return true;
  }
}

/** The replay, up to the last event of its schedule. */
const upToEnd = (replay: LenientReplay, length: number): Strategy => ({
  next: (session) => (replay.progress < length ? replay.next(session) : undefined),
});

/** A digest: a long recording has many prefixes. */
function keyOf(prefix: readonly Event[], expected: readonly Event[]): string {
  let { hi, lo } = digestText(`${prefix.length}`);
  for (const event of [...prefix, ...expected]) {
    hi = mixHi(mixHi(hi, event.hi), event.lo);
    lo = mixLo(mixLo(lo, event.lo), event.hi);
  }
  return hex({ hi, lo });
}

/** The intervals between the externals of a schedule, which is a part of a recording. */
function intervalsOf(schedule: readonly Event[], recording: readonly Event[]): readonly Interval[] {
  const isInput = (event: Event): boolean => !isInternal(event) && !isConsequence(event, recording);
  const starts = schedule.flatMap((event, at) => (isInput(event) || at === 0 ? [at] : []));
  return starts.map((at, nth) => {
    const end = starts[nth + 1] ?? schedule.length;
    const events = schedule.slice(at, end);
    const untilMs = (schedule[end] ?? events.at(-1))?.atMs ?? 0;
    return {
      input: events.filter((event) => !isInternal(event)),
      expected: events.filter(isInternal),
      gapMs: Math.max(0, untilMs - (events[0]?.atMs ?? 0)),
    };
  });
}

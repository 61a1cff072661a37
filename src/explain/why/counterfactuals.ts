import { LenientReplay, unknownTargets } from '../../schedule/replay/lenient-replay.ts';
import { Matcher } from '../../schedule/replay/match.ts';
import { overtaken, type Overtaking } from '../../schedule/reversible-races.ts';
import { ReplayStrategy } from '../../schedule/replay/exact-replay.ts';
import { judged, type Judge } from '../../execution/run-and-judge.ts';
import type { Session } from '../../kernel/ports.ts';
import type { Checkpoints } from '../../execution/prefix-sessions.ts';
import type { Origin } from '../../execution/record.ts';
import { hex, sameDigest } from '../../trace/digest.ts';
import { isInternal, type Event } from '../../trace/event.ts';
import type { Verdict } from '../../trace/verdict.ts';
import { checkpointsOf, opened } from './sessions.ts';

/** The result of a schedule with one change. */
export interface TriedChange {
  /** The events that happened. */
  readonly events: readonly Event[];
  /** The name of the execution, equal up to the order of independent events. */
  readonly name: string;
  /** Undefined if there is no such execution. */
  readonly verdict: Verdict | undefined;
  /** Indices of the recorded events that could not happen. */
  readonly missed: readonly number[];
  /**
   * `changed`: the number of events when the change was complete. `through`: the number of events when the last event
   * that the change moves had passed. Undefined if the execution ended before that.
   */
  readonly changed: number | undefined;
  readonly through: number | undefined;
}

/** Executes a recording with one change, and judges it. */
export class Counterfactuals {
  /** The number of executed schedules. */
  schedules = 0;
  private readonly matcher: Matcher;
  private readonly targets: ReturnType<typeof unknownTargets>;
  private readonly checkpoints: Checkpoints | undefined;

  constructor(
    private readonly origin: Origin,
    /** The recorded events, then events that could have happened as well. */
    private readonly events: readonly Event[],
    private readonly count: number,
    private readonly judge: Judge,
  ) {
    const recorded = events.slice(0, count);
    this.matcher = new Matcher(origin.system.hints.contentOf);
    this.targets = unknownTargets(recorded);
    this.checkpoints = checkpointsOf(origin, recorded, judge);
  }

  /** All events except this one. */
  without(event: number): Promise<TriedChange> {
    return this.execute(this.allBut([event]), event, [event, event]);
  }

  /** All other events first, then this event and the events that depend on it. */
  last(event: number, { missed }: TriedChange): Promise<TriedChange> {
    const late = [event, ...missed];
    return this.execute([...this.allBut(late), ...late], event, [event, event]);
  }

  private allBut(some: readonly number[]): number[] {
    return Array.from({ length: this.count }, (_, at) => at).filter((at) => !some.includes(at));
  }

  /** All events, one of them moved before another, or with one event added. */
  async earlier(overtaking: Overtaking): Promise<TriedChange> {
    const { event, before, along } = overtaking;
    const extra = [...along, event].filter((at) => at >= this.count).length;
    const marks = [before + along.length + 1, this.extent(overtaking) + extra] as const;
    const tried = await this.execute(overtaken(this.count, overtaking), before, marks);
    return this.hasHappened(event, tried) ? tried : { ...tried, verdict: undefined };
  }

  /** The number of recorded events up to the last event that the change moves. */
  extent({ event, before, along }: Overtaking): number {
    return Math.max(before, ...[...along, event].filter((at) => at < this.count)) + 1;
  }

  /** Whether the same events have the same result again, executed from the start. */
  async isReproduced({ events, name, verdict }: TriedChange): Promise<boolean> {
    const { oracle, handlerMs } = this.judge;
    const begin = () => ({ session: opened(this.origin), strategy: new ReplayStrategy(events) });
    const { session, verdict: now } = await judged(begin, { oracle, handlerMs }, events.length);
    await session.close();
    return hex(session.name()) === name && JSON.stringify(now) === JSON.stringify(verdict);
  }

  /** Whether the moved event itself happened where it should, and not another event in its place. */
  private hasHappened(event: number, { events, missed, changed }: TriedChange): boolean {
    // The execution ended before the change was complete: its verdict is an answer too.
    if (changed === undefined) return true;
    if (missed.includes(event)) return false;
    const moved = this.events[event] as Event;
    // In virtual time the clock is part of an event's history, so an event at another time has another identity.
    if (!isInternal(moved) || this.origin.system.declaration.timers !== 'any') return true;
    return events.slice(0, changed).some((one) => sameDigest(one, moved));
  }

  /**
   * Executes the events in this order; the first `shared` events are as recorded. Notes the number of events at each
   * mark.
   */
  private async execute(
    order: readonly number[],
    shared: number,
    marks: readonly [number, number],
  ): Promise<TriedChange> {
    const begin = () => {
      const session = this.checkpoints?.upTo(shared) ?? opened(this.origin);
      const following = this.following(order, session.world.length);
      const reached: (number | undefined)[] = [];
      const next = (now: Session) => {
        const event = following.next(now);
        for (const [at, mark] of marks.entries())
          if (following.progress > mark || event === undefined) reached[at] ??= now.world.length;
        return event;
      };
      return { session, strategy: { next }, following, reached };
    };
    this.schedules += 1;
    const { session, following, reached, verdict } = await judged(begin, this.judge, order.length);
    await session.close();
    const events = session.recording.events.since(0);
    const missed = following.missed.map((at) => order[at] as number);
    return { events, name: hex(session.name()), verdict, missed, changed: reached[0], through: reached[1] };
  }

  private following(order: readonly number[], from: number): LenientReplay {
    const { matcher, targets } = this;
    const schedule = order.map((at) => this.events[at] as Event);
    const options = { matcher, likeness: 'type', absent: 'skip', choices: undefined, targets } as const;
    return new LenientReplay(schedule, options, from);
  }
}

import { writeDown, type Origin } from '../execution/record.ts';
import type { Session, Strategy } from '../kernel/ports.ts';
import { LenientReplay, unknownTargets } from '../schedule/replay/lenient-replay.ts';
import { Matcher } from '../schedule/replay/match.ts';
import { isConsequence, type Event, type Internal } from '../trace/event.ts';
import type { Trace } from '../trace/format.ts';

/** An execution that follows a schedule, and how much of it happened. */
export interface Followed {
  readonly trace: Trace;
  /** Indices of events of the schedule that did not happen: they could not, or the execution ended before. */
  readonly missed: readonly number[];
  /** The number of events of the execution when the schedule was over. */
  readonly length: number;
}

/** At the end, so many events of those that are left, and so many timers: enough for a problem to last, and never endless. */
const REST = { events: 1_000, timers: 10 };

/**
 * Executes a schedule of another execution by the contents of its events, as far as it can happen: what is absent is left out. Then the rest that
 * is under way happens, and a little time passes.
 */
export async function followed(origin: Origin, schedule: readonly Event[]): Promise<Followed> {
  let replay: LenientReplay | undefined;
  let length: number | undefined;
  const strategy = (): Strategy => {
    const head = new LenientReplay(schedule, {
      matcher: Matcher.ofLive(origin.system.hints.contentOf),
      likeness: 'content',
      absent: 'repair',
      choices: undefined,
      targets: unknownTargets(schedule),
    });
    replay = head;
    length = undefined;
    const rest = new Rest();
    const next = (session: Session): ReturnType<Strategy['next']> => {
      const event = length === undefined ? head.next(session) : undefined;
      if (event === undefined) length ??= session.world.length;
      return event ?? rest.next(session);
    };
    return { next };
  };
  const trace = await writeDown(origin, strategy, Number.POSITIVE_INFINITY);
  const { progress = 0, missed = [] } = replay ?? {};
  // What an action brings about happens with it.
  const hasHappened = (event: Event, at: number): boolean =>
    at < progress || (isConsequence(event, schedule) && event.cause < progress);
  const notReached = schedule.flatMap((event, at) => (hasHappened(event, at) ? [] : [at]));
  return { trace, missed: [...missed, ...notReached], length: length ?? trace.events.length };
}

/** What is left: first all that is under way, the oldest first, then timers. */
class Rest implements Strategy {
  private events = 0;
  private timers = 0;

  next({ enabled }: Session): Internal | undefined {
    const underWay = enabled.find(({ kind }) => kind !== 'fire');
    if (underWay !== undefined) return this.events++ < REST.events ? underWay : undefined;
    const [timer] = enabled;
    return timer !== undefined && this.timers++ < REST.timers ? timer : undefined;
  }
}

import { Causality } from '../trace/causality.ts';
import { isConsequence, type Deliver, type Event } from '../trace/event.ts';
import { isSameChannel, processesOf } from '../trace/event-subject.ts';

/** An event that could have come before an earlier one. All are indices. */
export interface Overtaking {
  readonly event: number;
  readonly before: number;
  /** The events between the two that must come along because the event needs them, ascending. */
  readonly along: readonly number[];
}

/** An event that cannot come before an earlier one: it follows from that one, or was sent after it over the same link. */
export interface Bound {
  readonly event: number;
  readonly before: number;
  readonly why: 'cause' | 'order';
}

/**
 * The races of an execution: pairs of events of which the later one could have come first. An event needs its cause,
 * the past of its cause, and, if its link keeps the order of messages, the earlier deliveries on its channel.
 */
export class Races {
  private readonly causality: Causality;
  /** The indices of the events of each process and of the environment, ascending. */
  private readonly lanes = new Map<string, number[]>();
  private readonly touched: readonly (readonly string[])[];

  constructor(
    /** The events that happened, then those that could have happened, in the order of causes. */
    private readonly events: readonly Event[],
    /** The number of events that happened. */
    private readonly count: number,
    /** Whether the link of a message keeps the order of messages. */
    private readonly isOrdered: (message: Deliver) => boolean,
  ) {
    this.causality = new Causality(events);
    this.touched = events.map((event, at) => this.touchedBy(event, at));
    for (const [at, processes] of this.touched.entries()) {
      for (const process of new Set([...processes, (events[at] as Event).process])) {
        const lane = this.lanes.get(process);
        if (lane === undefined) this.lanes.set(process, [at]);
        else lane.push(at);
      }
    }
  }

  /**
   * Races with earlier events of the same process, the nearest first. A caller that finds no difference continues with
   * the next.
   */
  *direct(event: number): Generator<Overtaking | Bound> {
    const { process } = this.events[event] as Event;
    const led = this.ledTo(event);
    const needs = this.needs(event);
    const places = (this.touched[event] ?? []).flatMap((name) => this.earlier(name, event));
    for (const before of descending(places)) {
      if (!needs.has(before)) {
        yield { event, before, along: between(needs, before, event) };
        continue;
      }
      yield { event, before, why: led.has(before) ? 'cause' : 'order' };
      // It needs the earlier events of its own process as well.
      if (led.has(before) && (this.events[before] as Event).process === process) return;
    }
  }

  /**
   * Races with the last event of every other process and of the environment that did not lead to the event, the nearest
   * first. The whole past of the event comes along, so its own process notices nothing.
   */
  *apart(event: number): Generator<Overtaking> {
    const touched = this.touched[event] ?? [];
    const past = new Set(this.causality.past(event));
    const places = [...this.lanes.keys()]
      .filter((process) => !touched.includes(process))
      .map((process) => this.earlier(process, event).find((at) => !past.has(at) && !this.meet(at, event)));
    for (const before of descending(places)) yield { event, before, along: between(past, before, event) };
  }

  private meet(one: number, other: number): boolean {
    return (this.touched[one] ?? []).some((process) => this.touched[other]?.includes(process));
  }

  /** Its cause, and the past of its cause. */
  private ledTo(event: number): ReadonlySet<number> {
    const { cause } = this.events[event] as Event;
    return new Set(cause < 0 ? [] : [cause, ...this.causality.past(cause)]);
  }

  /** The events that must happen before this one in any order. */
  private needs(event: number, known = new Set<number>()): Set<number> {
    const { process } = this.events[event] as Event;
    for (const at of this.ledTo(event)) known.add(at);
    for (const at of this.lanes.get(process) ?? []) {
      if (at >= event || known.has(at) || !this.isSentAfter(event, at)) continue;
      known.add(at);
      this.needs(at, known);
    }
    return known;
  }

  /** Whether both are messages of one channel, and this one was sent later. An awaited answer may overtake others. */
  private isSentAfter(event: number, before: number): boolean {
    const [later, earlier] = [this.events[event] as Event, this.events[before] as Event];
    if (later.kind !== 'deliver' || earlier.kind !== 'deliver' || !isSameChannel(later, earlier)) return false;
    return this.isOrdered(later) && earlier.cause <= later.cause;
  }

  /** The earlier events of a process, the nearest first, without the consequences of actions, which happen with their action. */
  private earlier(process: string, event: number): number[] {
    const lane = (this.lanes.get(process) ?? []).filter((at) => at < event && at < this.count);
    return lane.filter((at) => !isConsequence(this.events[at] as Event, this.events)).reverse();
  }

  /** The processes that an event affects at once. */
  private touchedBy(event: Event, at: number): readonly string[] {
    if (event.kind !== 'act') return processesOf(event);
    return [...new Set(this.events.filter(({ cause }) => cause === at).map(({ process }) => process))];
  }
}

const descending = (places: readonly (number | undefined)[]): number[] =>
  [...new Set(places)].filter((at) => at !== undefined).sort((one, other) => other - one);

const between = (needed: ReadonlySet<number>, before: number, event: number): number[] =>
  [...needed].filter((at) => at > before && at < event).sort((one, other) => one - other);

/** The order of events after an overtaking: the event, and those that come along, stand before the overtaken one. */
export function overtaken(count: number, { event, before, along }: Overtaking): number[] {
  const moved = [...along, event];
  const isMoved = new Set(moved);
  const rest = Array.from({ length: count }, (_, at) => at).filter((at) => !isMoved.has(at));
  return rest.flatMap((at) => (at === before ? [...moved, at] : [at]));
}

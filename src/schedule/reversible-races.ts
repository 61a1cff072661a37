import { Causality } from '../trace/causality.ts';
import { isConsequence, type Event } from '../trace/event.ts';
import { processesOf } from '../trace/event-subject.ts';

/** An event that might have come before an earlier one. All are indices. */
export interface Overtaking {
  readonly event: number;
  readonly before: number;
  /** What lies between them and must come along, ascending: the event needs it. */
  readonly along: readonly number[];
}

/** An event that cannot come before an earlier one: it comes of that, or was sent after it over the same link. */
export interface Bound {
  readonly event: number;
  readonly before: number;
  readonly why: 'cause' | 'order';
}

/**
 * Which events of an execution race: the later one could have come first, for all that led to it. An event needs its cause, all
 * that happened before that, and, where links keep the order of messages, what was delivered before it over its link.
 */
export class Races {
  private readonly causality: Causality;
  /** What happened to each process, and to the environment, ascending. */
  private readonly lanes = new Map<string, number[]>();
  private readonly touched: readonly (readonly string[])[];

  constructor(
    /** What happened, then what might have happened as well, in the order of causes. */
    private readonly events: readonly Event[],
    /** How many of them happened. */
    private readonly count: number,
    private readonly isFifo: boolean,
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
   * With what happened to the same process before, the nearest first: whoever finds that it makes no difference to overtake one
   * goes on with the one before.
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
      // What happened to its own process before that, it needs as well.
      if (led.has(before) && (this.events[before] as Event).process === process) return;
    }
  }

  /**
   * With the last thing that happened to every other process, or that the environment did, and that did not lead to the event;
   * the nearest first. All that happened before the event comes along: its own process notices nothing.
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

  /** Its cause, and all that happened before that. */
  private ledTo(event: number): ReadonlySet<number> {
    const { cause } = this.events[event] as Event;
    return new Set(cause < 0 ? [] : [cause, ...this.causality.past(cause)]);
  }

  /** What must have happened before the event can, whatever else is otherwise. */
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

  /** Whether both are messages over one link, and this one was sent after that. An awaited answer may be taken before others. */
  private isSentAfter(event: number, before: number): boolean {
    const [later, earlier] = [this.events[event] as Event, this.events[before] as Event];
    if (!this.isFifo || later.kind !== 'deliver' || earlier.kind !== 'deliver') return false;
    return later.process === earlier.process && later.from === earlier.from && earlier.cause <= later.cause;
  }

  /** What happened to a process before this event, the nearest first. What an action brings about happens with it. */
  private earlier(process: string, event: number): number[] {
    const lane = (this.lanes.get(process) ?? []).filter((at) => at < event && at < this.count);
    return lane.filter((at) => !isConsequence(this.events[at] as Event, this.events)).reverse();
  }

  /** The processes to which it makes a difference at once. */
  private touchedBy(event: Event, at: number): readonly string[] {
    if (event.kind !== 'act') return processesOf(event);
    return [...new Set(this.events.filter(({ cause }) => cause === at).map(({ process }) => process))];
  }
}

const descending = (places: readonly (number | undefined)[]): number[] =>
  [...new Set(places)].filter((at) => at !== undefined).sort((one, other) => other - one);

const between = (needed: ReadonlySet<number>, before: number, event: number): number[] =>
  [...needed].filter((at) => at > before && at < event).sort((one, other) => one - other);

/** So many events in a row, with one of them or another one, and what must come along, before one of them. */
export function overtaken(count: number, { event, before, along }: Overtaking): number[] {
  const moved = [...along, event];
  const isMoved = new Set(moved);
  const rest = Array.from({ length: count }, (_, at) => at).filter((at) => !isMoved.has(at));
  return rest.flatMap((at) => (at === before ? [...moved, at] : [at]));
}

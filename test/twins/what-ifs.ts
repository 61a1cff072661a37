import { targetOf, invariantOracle, resolveSystem } from 'culprit/kernel';
import type { System } from 'culprit';
import type { Session } from 'culprit/kernel';
import { ENVIRONMENT, eventOf, isInternal, sameDigest, type Event, type Internal, type Trace } from 'culprit/trace';
import { pastBySearch } from './happens-before.ts';

/** The result of a schedule. */
interface Came {
  readonly outcome: 'holds' | 'violated' | 'impossible';
  /** Numbers of the recorded events that did not happen. */
  readonly absent: readonly number[];
}

/** Without this event, or with it before another one. */
export type Fact = Came & { readonly event: number; readonly before?: number; readonly isDelayed?: true };

/**
 * The slow and obvious twin of the trials of `explainWhy`: every schedule is executed from the start, event by event.
 * For systems with invariants only, and without actions.
 */
export class WhatIfs {
  private readonly events: readonly Event[];
  private readonly isFifo: boolean;
  private readonly open: () => Session;
  private readonly isViolated: (session: Session) => boolean;

  constructor(system: System, { header, events }: Trace) {
    const resolved = resolveSystem(system, header.parameters);
    const oracle = invariantOracle(resolved.invariants);
    this.events = events.map(eventOf);
    this.isFifo = resolved.declaration.transport.order === 'fifo';
    this.open = () => targetOf(resolved).open(header.seed);
    this.isViolated = ({ world }) => oracle.judge(world, world.last).kind === 'violated';
  }

  async without(event: number): Promise<Fact> {
    const kept = this.numbers.filter((number) => number !== event);
    const came = await this.execute(kept);
    const late = [event, ...came.absent];
    const last = await this.execute([...this.numbers.filter((number) => !late.includes(number)), ...late]);
    const isDelayed = came.outcome === 'holds' && last.outcome === 'violated';
    return { event, ...came, ...(isDelayed ? { isDelayed } : {}) };
  }

  /** All that `event` overtakes in its process: the nearest, and the first that makes a difference. */
  async overtakings(event: number): Promise<Fact[]> {
    const facts: Fact[] = [];
    for (const before of this.numbers.toReversed()) {
      if (before >= event || !this.meet(event, before)) continue;
      const came = await this.earlier(event, before);
      if (facts.length === 0 || came.outcome === 'holds') facts.push({ event, before, ...came });
      if (came.outcome === 'holds') break;
    }
    return facts;
  }

  private async earlier(event: number, before: number): Promise<Came> {
    const needs = this.needs(event);
    if (needs.has(before)) return { outcome: 'impossible', absent: [] };
    const moved = this.numbers.filter((number) => number === event || (number > before && needs.has(number)));
    const rest = this.numbers.filter((number) => !moved.includes(number));
    const order = rest.flatMap((number) => (number === before ? [...moved, number] : [number]));
    const came = await this.execute(order, event);
    return came.outcome === 'impossible' ? { ...came, absent: [] } : came;
  }

  private get numbers(): number[] {
    return this.events.map((_event, at) => at + 1);
  }

  private at(number: number): Event {
    return this.events[number - 1] as Event;
  }

  /** Whether both happen at one process, or are sent to it. */
  meet(one: number, other: number): boolean {
    const place = (event: Event): string | undefined =>
      event.kind === 'send' ? event.to : event.process === ENVIRONMENT ? undefined : event.process;
    return place(this.at(one)) !== undefined && place(this.at(one)) === place(this.at(other));
  }

  /** Everything that leads to it, and earlier deliveries over its link, with everything that leads to those. */
  private needs(event: number): Set<number> {
    const found = new Set<number>();
    const queue = [event];
    for (const number of queue) {
      const { cause } = this.at(number);
      if (cause >= 0) for (const at of [cause, ...pastBySearch(this.events, cause)]) found.add(at + 1);
      const ahead = this.numbers.filter((other) => other < number && this.isAhead(other, number));
      queue.push(...ahead.filter((other) => !found.has(other)));
      for (const other of ahead) found.add(other);
    }
    return found;
  }

  private isAhead(one: number, other: number): boolean {
    const [first, second] = [this.at(one), this.at(other)];
    if (!this.isFifo || first.kind !== 'deliver' || second.kind !== 'deliver') return false;
    return first.from === second.from && first.process === second.process && first.cause <= second.cause;
  }

  /** In this order, as far as possible; one of them must happen as itself, unless it is over before. */
  private async execute(order: readonly number[], moved?: number): Promise<Came> {
    const session = this.open();
    const absent: number[] = [];
    for (const number of order) {
      const wanted = this.at(number);
      const found = isInternal(wanted) ? bestOf(session.enabled, wanted) : wanted;
      const isPossible = found !== undefined && (isInternal(found) || session.refusal(found) === undefined);
      const isOther = found !== undefined && isInternal(found) && !sameDigest(found, wanted);
      if (number === moved && (!isPossible || isOther)) return { outcome: 'impossible', absent: [] };
      if (!isPossible) absent.push(number);
      else await session.perform(found);
      if (isPossible && this.isViolated(session)) return { outcome: 'violated', absent: ascending(absent) };
    }
    return { outcome: 'holds', absent: ascending(absent) };
  }
}

const ascending = (numbers: readonly number[]): number[] => numbers.toSorted((one, other) => one - other);

/**
 * The event itself, or one with the same contents, or one of the same type: at the same place, and of equals the last.
 */
function bestOf(enabled: readonly Internal[], wanted: Internal): Internal | undefined {
  const likeness = (event: Internal): number => {
    if (sameDigest(event, wanted)) return 3;
    if (placeOf(event) !== placeOf(wanted)) return 0;
    return JSON.stringify(contentOf(event)) === JSON.stringify(contentOf(wanted)) ? 2 : 1;
  };
  return enabled.reduce<Internal | undefined>(
    (best, event) =>
      likeness(event) > 0 && likeness(event) >= (best === undefined ? 1 : likeness(best)) ? event : best,
    undefined,
  );
}

/** Messages of these systems are numbers. */
function placeOf(event: Internal): string {
  if (event.kind === 'deliver') return `${event.process} ${event.from}`;
  if (event.kind === 'fire') return `${event.process} fires ${event.timer}`;
  return event.kind === 'complete' ? `${event.process} ${event.operation} ${event.key}` : event.kind;
}

const contentOf = (event: Internal): unknown =>
  event.kind === 'deliver' ? event.message : event.kind === 'complete' ? event.value : undefined;

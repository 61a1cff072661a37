import { truthOf } from '../kernel/user-code/answer.ts';
import { doneAsking, nowAsking } from '../kernel/user-code/asking.ts';
import type { Session } from '../kernel/ports.ts';
import { SystemThrew } from '../kernel/errors.ts';
import type { World } from '../kernel/world.ts';
import type { Digest } from '../trace/digest.ts';
import { isConsequence, isInternal, type Event } from '../trace/event.ts';
import { typeOf } from '../trace/event-subject.ts';
import { faultEffects, isFaultKind } from './fault-effects.ts';
import { printedPairs } from './printed-states.ts';

/**
 * Conditions, by name. Each must be true of some world sooner or later; otherwise the hunt has missed what it was meant
 * to test.
 */
export type Marks = ReadonlyMap<string, (world: World) => boolean>;

/** Counts of some executions. Plain data, so that it can come from another thread. */
export interface CoverageSample {
  /** The name of each execution, in order. */
  readonly names: number[];
  /** The number of events of each kind. */
  readonly kinds: Map<string, number>;
  /** Types of delivered messages and names of fired timers, then the same of messages and timers that were pending at an end. */
  readonly delivered: Set<string>;
  readonly fired: Set<string>;
  readonly inFlight: Set<string>;
  readonly set: Set<string>;
  /** The number of inputs of each kind: actions by their name, messages by their type. */
  readonly inputs: Map<string, number>;
  /** Messages, each with what its receiver had printed last: see `printedPairs`. */
  readonly pairs: Set<string>;
  /** The marks that were reached. */
  readonly reached: Set<string>;
  /** Digests of end worlds. */
  readonly worlds: Set<number>;
  /** The number of faults of each kind, and how many had an effect. */
  readonly faults: Map<string, FaultCount>;
}

export interface FaultCount {
  readonly happened: number;
  readonly effective: number;
}

/** Samples executions one after another. */
export class CoverageSampler {
  readonly seen: CoverageSample = {
    names: [],
    kinds: new Map(),
    delivered: new Set(),
    fired: new Set(),
    inFlight: new Set(),
    set: new Set(),
    inputs: new Map(),
    pairs: new Set(),
    reached: new Set(),
    worlds: new Set(),
    faults: new Map(),
  };
  /** The names in `seen`, as a set. */
  private readonly names = new Set<number>();

  constructor(private readonly marks: Marks) {}

  /** Looks for marks that have not been reached. To be called after each event; undefined if all are reached. */
  get observe(): ((session: Session) => void) | undefined {
    const { reached } = this.seen;
    if (reached.size === this.marks.size) return undefined;
    return ({ world }) => {
      for (const [name, mark] of this.marks) {
        if (!reached.has(name) && isReached(name, mark, world)) reached.add(name);
      }
    };
  }

  /**
   * Adds an execution of that name, which has ended. Whether a fault had an effect depends on the order of the events, too, and not on its
   * name alone.
   */
  add(session: Session, name = nameOf(session)): void {
    const { seen } = this;
    const events = session.recording.events.since(0);
    const faults = this.countKinds(events) ? faultEffects(session, events) : [];
    for (const { kind, hadEffect } of faults)
      addFaults(seen.faults, kind, { happened: 1, effective: Number(hadEffect) });
    if (!this.isFamiliar(session, name)) {
      for (const event of events) note(event, seen.delivered, seen.fired);
      for (const event of session.world.pending) note(event, seen.inFlight, seen.set);
      for (const pair of printedPairs(session, events)) seen.pairs.add(pair);
    }
    // A digest of a world takes longer than a name.
    if (!this.names.has(name)) seen.worlds.add(keyOf(session.worldDigest()));
    this.names.add(name);
    seen.names.push(name);
  }

  /** Whether an execution with the same data has been added: one of the same name, if neither draws nor processes of others decide. */
  isFamiliar(session: Session, name: number): boolean {
    return this.names.has(name) && session.guarantees.repeatable && !session.isDrawn;
  }

  /** Says whether a fault is among the events. Events of one kind come in a row, mostly, and are counted together. */
  private countKinds(events: readonly Event[]): boolean {
    let hasFault = false;
    for (let at = 0; at < events.length;) {
      const { kind } = events[at] as Event;
      const from = at;
      while (at < events.length && events[at]?.kind === kind) at++;
      this.seen.kinds.set(kind, (this.seen.kinds.get(kind) ?? 0) + at - from);
      hasFault ||= isFaultKind(kind);
      if (!isInternal(events[from] as Event)) this.countInputs(events, from, at);
    }
    return hasFault;
  }

  private countInputs(events: readonly Event[], from: number, to: number): void {
    for (let at = from; at < to; at++) {
      const event = events[at] as Event;
      if (isInput(event, events)) add(this.seen.inputs, inputKind(event));
    }
  }
}

const add = (counts: Map<string, number>, kind: string): void => void counts.set(kind, (counts.get(kind) ?? 0) + 1);

/** What the environment does by itself: neither a start, nor a part of an action. */
const isInput = (event: Event, events: readonly Event[]): boolean =>
  !isInternal(event) && event.kind !== 'start' && event.kind !== 'wait' && !isConsequence(event, events);

const inputKind = (event: Event): string =>
  event.kind === 'act' || event.kind === 'send' ? typeOf(event) : event.kind;

/** Adds to the count of a kind of fault. */
export function addFaults(faults: Map<string, FaultCount>, kind: string, { happened, effective }: FaultCount): void {
  const before = faults.get(kind) ?? { happened: 0, effective: 0 };
  faults.set(kind, { happened: before.happened + happened, effective: before.effective + effective });
}

/** Whether a mark is true of a world. */
export function isReached(name: string, mark: (world: World) => boolean, world: World): boolean {
  let answer: unknown;
  nowAsking(() => `the sometimes ${name}`);
  try {
    answer = mark(world);
  } catch (error) {
    throw new SystemThrew(`the sometimes ${name}`, error);
  } finally {
    doneAsking();
  }
  return typeof answer === 'boolean'
    ? answer
    : truthOf(`the sometimes ${name}, asked after event ${world.length},`, answer);
}

function note(event: Event, messages: Set<string>, timers: Set<string>): void {
  if (event.kind === 'deliver') messages.add(typeOf(event));
  else if (event.kind === 'fire') timers.add(typeOf(event));
}

/** The name of an execution, as `CoverageSample.names` has it. */
export const nameOf = (session: Session): number => keyOf(session.name());

/** The digest as a number of 53 bits, which is enough to count. */
const keyOf = ({ hi, lo }: Digest): number => hi * 0x20_0000 + (lo >>> 11);

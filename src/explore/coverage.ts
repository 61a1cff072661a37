import { CulpritError } from '../error.ts';
import type { Digest } from '../trace/digest.ts';
import type { Event } from '../trace/event.ts';
import type { Session } from '../kernel/ports.ts';
import { SystemThrew } from '../kernel/refused.ts';
import type { World } from '../kernel/world.ts';
import { effectiveCuts } from './effective-cuts.ts';

/** What must be true of some world sooner or later, or the hunt has not tested what it was meant to. */
export type Marks = ReadonlyMap<string, (world: World) => boolean>;

/** What a hunt has seen: whether it tested anything. */
export interface CoverageReport {
  /** Executions that differ in more than the order of independent events. */
  readonly distinct: number;
  /** How many of the executions so far were distinct, at some points of the hunt. */
  readonly saturation: readonly (readonly [executions: number, distinct: number])[];
  /** How often each kind of event happened. */
  readonly kinds: Readonly<Record<string, number>>;
  /** Cuts, and those over which something was sent. */
  readonly cuts: number;
  readonly effectiveCuts: number;
  /** Messages and timers that were sent and set, and never once delivered or fired. */
  readonly never: readonly string[];
  readonly marksReached: readonly string[];
  readonly marksMissed: readonly string[];
}

/** Takes note of every execution of a hunt. */
export class Coverage {
  private readonly names = new Set<number>();
  private readonly saturation: [number, number][] = [];
  private readonly kinds = new Map<string, number>();
  /** Types of messages delivered and names of timers fired; and the same of those still pending at some end. */
  private readonly delivered = new Set<string>();
  private readonly fired = new Set<string>();
  private readonly inFlight = new Set<string>();
  private readonly set = new Set<string>();
  private readonly missed: Map<string, (world: World) => boolean>;
  private executions = 0;
  private cuts = 0;
  private effective = 0;

  constructor(private readonly marks: Marks) {
    this.missed = new Map(marks);
  }

  /** Looks for marks after an event; those that were reached are not looked for again. Undefined where none is left. */
  get observe(): ((session: Session) => void) | undefined {
    if (this.missed.size === 0) return undefined;
    return ({ world }) => {
      for (const [name, isReached] of this.missed) if (looked(name, isReached, world)) this.missed.delete(name);
    };
  }

  /** Executions so far that differ in more than the order of independent events. */
  get distinct(): number {
    return this.names.size;
  }

  add(session: Session): void {
    this.executions += 1;
    this.names.add(keyOf(session.name()));
    if (Math.log2(this.executions) % 1 === 0) this.saturation.push([this.executions, this.names.size]);
    const events = session.recording.events.since(0);
    for (const event of events) this.count(event);
    for (const event of session.world.pending) this.note(event, this.inFlight, this.set);
    const cuts = events.filter(({ kind }) => kind === 'cut');
    this.cuts += cuts.length;
    if (cuts.length > 0) this.effective += effectiveCuts(session, events);
  }

  report(): CoverageReport {
    return {
      distinct: this.distinct,
      saturation: [...this.saturation, [this.executions, this.names.size]],
      kinds: Object.fromEntries([...this.kinds].sort(([a], [b]) => (a < b ? -1 : 1))),
      cuts: this.cuts,
      effectiveCuts: this.effective,
      never: [
        ...[...this.inFlight].filter((type) => !this.delivered.has(type)).map((type) => `message ${type}`),
        ...[...this.set].filter((timer) => !this.fired.has(timer)).map((timer) => `timer ${timer}`),
      ].sort(),
      marksReached: [...this.marks.keys()].filter((name) => !this.missed.has(name)),
      marksMissed: [...this.missed.keys()],
    };
  }

  private count(event: Event): void {
    this.kinds.set(event.kind, (this.kinds.get(event.kind) ?? 0) + 1);
    this.note(event, this.delivered, this.fired);
  }

  private note(event: Event, messages: Set<string>, timers: Set<string>): void {
    if (event.kind === 'deliver') messages.add(messageType(event.message));
    else if (event.kind === 'fire') timers.add(event.timer);
  }
}

function looked(name: string, isReached: (world: World) => boolean, world: World): boolean {
  try {
    return isReached(world);
  } catch (error) {
    throw error instanceof CulpritError ? error : new SystemThrew(`the mark ${name}`, error);
  }
}

/** Some 53 bits of a name: enough to count. */
const keyOf = ({ hi, lo }: Digest): number => hi * 0x20_0000 + (lo >>> 11);

/** What kind of message it is, as far as it says. */
export const messageType = (message: unknown): string =>
  typeof message === 'object' && message !== null && 'type' in message ? String(message.type) : typeof message;

import type { Session } from '../kernel/ports.ts';
import { SystemThrew } from '../kernel/refused.ts';
import type { World } from '../kernel/world.ts';
import type { Digest } from '../trace/digest.ts';
import type { Event } from '../trace/event.ts';
import { effectiveCuts } from './effective-cuts.ts';

/** What must be true of some world sooner or later, or the hunt has not tested what it was meant to. */
export type Marks = ReadonlyMap<string, (world: World) => boolean>;

/** What was seen in some executions: plain data, so that it can come from another thread. */
export interface Sightings {
  /** The name of each execution, in order. */
  readonly names: number[];
  /** How often each kind of event happened. */
  readonly kinds: Map<string, number>;
  /** Types of messages delivered and names of timers fired; and the same of those still pending at some end. */
  readonly delivered: Set<string>;
  readonly fired: Set<string>;
  readonly inFlight: Set<string>;
  readonly set: Set<string>;
  /** Marks that were reached, of those that were looked for. */
  readonly reached: Set<string>;
  cuts: number;
  effectiveCuts: number;
}

/** Looks at executions, one after the other. */
export class Lookout {
  readonly seen: Sightings = {
    names: [],
    kinds: new Map(),
    delivered: new Set(),
    fired: new Set(),
    inFlight: new Set(),
    set: new Set(),
    reached: new Set(),
    cuts: 0,
    effectiveCuts: 0,
  };

  constructor(private readonly marks: Marks) {}

  /** Looks for marks after an event; those that were reached are not looked for again. Undefined where none is left. */
  get observe(): ((session: Session) => void) | undefined {
    const { reached } = this.seen;
    if (reached.size === this.marks.size) return undefined;
    return ({ world }) => {
      for (const [name, mark] of this.marks) {
        if (!reached.has(name) && isReached(name, mark, world)) reached.add(name);
      }
    };
  }

  add(session: Session): void {
    const { seen } = this;
    seen.names.push(keyOf(session.name()));
    const events = session.recording.events.since(0);
    for (const event of events) {
      seen.kinds.set(event.kind, (seen.kinds.get(event.kind) ?? 0) + 1);
      note(event, seen.delivered, seen.fired);
    }
    for (const event of session.world.pending) note(event, seen.inFlight, seen.set);
    const cuts = events.filter(({ kind }) => kind === 'cut');
    seen.cuts += cuts.length;
    if (cuts.length > 0) seen.effectiveCuts += effectiveCuts(session, events);
  }
}

function isReached(name: string, mark: (world: World) => boolean, world: World): boolean {
  try {
    return mark(world);
  } catch (error) {
    throw new SystemThrew(`the sometimes ${name}`, error);
  }
}

function note(event: Event, messages: Set<string>, timers: Set<string>): void {
  if (event.kind === 'deliver') messages.add(messageType(event.message));
  else if (event.kind === 'fire') timers.add(event.timer);
}

/** Some 53 bits of a name: enough to count. */
const keyOf = ({ hi, lo }: Digest): number => hi * 0x20_0000 + (lo >>> 11);

/** What kind of message it is, as far as it says. */
export const messageType = (message: unknown): string =>
  typeof message === 'object' && message !== null && 'type' in message ? String(message.type) : typeof message;

import { truthOf } from '../kernel/user-code/answer.ts';
import { doneAsking, nowAsking } from '../kernel/user-code/asking.ts';
import type { Session } from '../kernel/ports.ts';
import { SystemThrew } from '../kernel/errors.ts';
import type { World } from '../kernel/world.ts';
import type { Digest } from '../trace/digest.ts';
import type { Event } from '../trace/event.ts';
import { messageType } from '../trace/message-type.ts';
import { faultEffects } from './fault-effects.ts';

/** What must be true of some world sooner or later, or the hunt has not tested what it was meant to. */
export type Marks = ReadonlyMap<string, (world: World) => boolean>;

/** What was seen in some executions: plain data, so that it can come from another thread. */
export interface CoverageSample {
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
  /** Digests of the worlds that executions ended in. */
  readonly worlds: Set<number>;
  /** How many faults of each kind there were, and how many had an effect. */
  readonly faults: Map<string, FaultCount>;
}

export interface FaultCount {
  readonly happened: number;
  readonly effective: number;
}

/** Looks at executions, one after the other. */
export class CoverageSampler {
  readonly seen: CoverageSample = {
    names: [],
    kinds: new Map(),
    delivered: new Set(),
    fired: new Set(),
    inFlight: new Set(),
    set: new Set(),
    reached: new Set(),
    worlds: new Set(),
    faults: new Map(),
  };
  /** The same as in `seen`, to ask whether one is there. */
  private readonly names = new Set<number>();

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
    const name = keyOf(session.name());
    // Executions of one name end in the same world, and looking at a world takes longer than at a name.
    if (!this.names.has(name)) seen.worlds.add(keyOf(session.worldDigest()));
    this.names.add(name);
    seen.names.push(name);
    const events = session.recording.events.since(0);
    for (const event of events) {
      seen.kinds.set(event.kind, (seen.kinds.get(event.kind) ?? 0) + 1);
      note(event, seen.delivered, seen.fired);
    }
    for (const event of session.world.pending) note(event, seen.inFlight, seen.set);
    for (const { kind, hadEffect } of faultEffects(session, events))
      addFaults(seen.faults, kind, { happened: 1, effective: Number(hadEffect) });
  }
}

/** Adds to what there is. */
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
  if (event.kind === 'deliver') messages.add(messageType(event.message));
  else if (event.kind === 'fire') timers.add(event.timer);
}

/** Some 53 bits of a name: enough to count. */
const keyOf = ({ hi, lo }: Digest): number => hi * 0x20_0000 + (lo >>> 11);

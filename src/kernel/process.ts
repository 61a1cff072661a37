import { digestText, mixHi, mixLo, type Digest } from '../trace/digest.ts';
import type { Complete, Fire } from '../trace/event.ts';
import type { AnyBehavior } from './behavior.ts';
import { copyData } from './data/copy.ts';
import { Operation, type Handler } from './operation.ts';
import { Random } from './data/random.ts';
import type { ProcessView } from './world.ts';

/** Code that continues after its handler has returned: see `AsyncCode`. */
export interface CodeLeftBehind {
  /** How many reactions of promises and queued callbacks have not run. */
  readonly waiting: number;
  /** The event is over. Names the real timer or request that code started in the event and still waits for. */
  end(): string | undefined;
}

/** A digest, and what it was made for. */
export interface KeptDigest extends Digest {
  readonly isTimed: boolean;
  readonly isOrdered: boolean;
  readonly nowMs: number;
}

/** Identifies the world that may change an object in place: see `Process.owner`. */
export type Owner = object;

/**
 * `waiting`: declared, not started yet. `spawned`: its spawn event has not happened. `starting`: its async `start` has
 * not returned. `stopped` left on purpose, `crashed` did not.
 */
export type Status = 'waiting' | 'spawned' | 'starting' | 'up' | 'stopped' | 'crashed';

const PAUSED = 1;
const WIPED = 2;
const HOLDS_ITSELF = 4;

/** What most processes have of most things: shared, until something is added. */
const NONE: readonly never[] = [];

/** The list, to be changed. */
const own = <T>(list: readonly T[]): T[] => (list === NONE ? [] : (list as T[]));

const copyOf = <T>(list: readonly T[]): readonly T[] => (list.length === 0 ? NONE : list.slice());

/** One process: its state and all that is pending for it but messages. Copied when a fork first changes it. */
export class Process implements ProcessView {
  status: Status = 'waiting';
  /** What is true of it, in one number: processes are copied all the time, and each field takes a few percent of that. */
  private flags = 0;
  state: object | undefined;
  /** The object of an opaque behavior, which handlers get instead of the state. The state is the view of it. */
  subject: object | undefined;
  /** The world that may change this object. Any other must copy it first. */
  owner: Owner;
  /** Digest of everything that happened to this process so far, in order: it determines the state. */
  hi: number;
  lo: number;
  /** How many messages, timers and requests the current event has made: the index in their identity. */
  made = 0;
  step = 0;
  clockMs = 0;
  restarts = 0;
  /** Counts crashes and stops: code that awaited before one must not act after it. */
  life = 0;
  /** Counters never start over, so that an answer to an ask before a crash cannot be taken for one after it. */
  requests = 0;
  spawned = 0;
  calls = 0;
  /** Client operations without a return yet. They outlive a crash: a client may find out later. */
  calling: readonly number[] = NONE;
  /** Made at the first draw: many processes never draw. */
  random: Random | undefined;
  timers: readonly Fire[] = NONE;
  operations: readonly Complete[] = NONE;
  /** Asks without an answer yet. */
  asked: readonly number[] = NONE;
  /** Its disk, made when code first looks at it. */
  private stored: Map<string, unknown> | undefined;
  /** Handlers that have not returned: each awaits something. */
  suspended = 0;
  /** Index of the event at which a handler was last suspended. */
  suspendedAt = -1;
  /** The asynchronous code that its handlers started in this life; undefined if they started none. */
  code: CodeLeftBehind | undefined;
  /** Operations being awaited. Code that awaits cannot be copied, so a process with any has no forks. */
  awaited = 0;
  /** The digest of it that was asked for last. A process changes in its own events only, so it is known until the next one. */
  digest: KeptDigest | undefined;
  private peers: readonly string[] | undefined;
  /** The operations that handlers may still await, by request. */
  private handles: Map<number, Operation> | undefined;

  constructor(
    readonly name: string,
    /** Its place in the world's list. */
    readonly at: number,
    readonly behavior: AnyBehavior,
    owner: Owner,
    hi: number,
    lo: number,
  ) {
    this.owner = owner;
    this.hi = hi;
    this.lo = lo;
  }

  static create(name: string, at: number, behavior: AnyBehavior, owner: Owner): Process {
    const { hi, lo } = digestText(name);
    return new Process(name, at, behavior, owner, hi, lo);
  }

  /** The same process in another world, where nothing has happened to it either. */
  waitingFor(owner: Owner): Process {
    return new Process(this.name, this.at, this.behavior, owner, this.hi, this.lo);
  }

  /** Nothing happens to it until it is resumed. */
  get isPaused(): boolean {
    return (this.flags & PAUSED) !== 0;
  }

  set isPaused(isPaused: boolean) {
    this.flags = isPaused ? this.flags | PAUSED : this.flags & ~PAUSED;
  }

  /** Whether its present life began without what was durable before. */
  get isWiped(): boolean {
    return (this.flags & WIPED) !== 0;
  }

  set isWiped(isWiped: boolean) {
    this.flags = isWiped ? this.flags | WIPED : this.flags & ~WIPED;
  }

  get holdsItself(): boolean {
    return (this.flags & HOLDS_ITSELF) !== 0;
  }

  set holdsItself(holdsItself: boolean) {
    this.flags = holdsItself ? this.flags | HOLDS_ITSELF : this.flags & ~HOLDS_ITSELF;
  }

  /** Its random numbers: they depend on the seed and its name, and not on the draws of other processes. */
  randomOf(seed: number): Random {
    if (this.random === undefined) {
      const { hi, lo } = digestText(this.name);
      this.random = Random.seeded(mixHi(hi, seed), mixLo(lo, seed));
    }
    return this.random;
  }

  /** What handlers get: the state, or the object of an opaque behavior. */
  get handled(): object {
    return (this.subject ?? this.state) as object;
  }

  get up(): boolean {
    return this.status === 'up';
  }

  /** Whether it has code that runs: it is up, or on its way. */
  get runs(): boolean {
    return this.status === 'up' || this.status === 'starting';
  }

  /** Whether JavaScript can copy it: none of its code waits for something, and its state is plain data. */
  get isCopyable(): boolean {
    return !this.awaits && this.subject === undefined;
  }

  /** Whether some of its code waits for something. */
  get awaits(): boolean {
    return this.suspended > 0 || this.awaited > 0 || (this.code !== undefined && this.code.waiting > 0);
  }

  /** Whether its life is over: it crashed or stopped. */
  get isGone(): boolean {
    return this.status === 'crashed' || this.status === 'stopped';
  }

  /** Whether it takes messages and timers now. */
  get accepts(): boolean {
    return this.status === 'up' && !this.isPaused && (this.suspended === 0 || this.behavior.blocking !== true);
  }

  /** The other declared processes. */
  peersAmong(declared: ReadonlyMap<string, unknown>): readonly string[] {
    this.peers ??= [...declared.keys()].filter((name) => name !== this.name);
    return this.peers;
  }

  /** Never shared: code of the system sees it, and may change it although it must not. */
  get disk(): Map<string, unknown> {
    this.stored ??= new Map();
    return this.stored;
  }

  get hasEmptyDisk(): boolean {
    return this.stored === undefined || this.stored.size === 0;
  }

  /** Its timers, to be changed, as are the next three. */
  ownTimers(): Fire[] {
    this.timers = own(this.timers);
    return this.timers as Fire[];
  }

  ownOperations(): Complete[] {
    this.operations = own(this.operations);
    return this.operations as Complete[];
  }

  ownAsked(): number[] {
    this.asked = own(this.asked);
    return this.asked as number[];
  }

  ownCalling(): number[] {
    this.calling = own(this.calling);
    return this.calling as number[];
  }

  /** Something for a handler to await. */
  handle(request: number, requester: Handler): Operation {
    const life = this.life;
    const operation = new Operation(requester, () => {
      if (this.life === life) this.awaited += 1;
    });
    this.handles ??= new Map();
    this.handles.set(request, operation);
    return operation;
  }

  /** Releases the handle of an operation that is done; undefined if no code can await it any more. */
  release(request: number): Operation | undefined {
    const operation = this.handles?.get(request);
    if (operation?.awaited) this.awaited -= 1;
    this.handles?.delete(request);
    return operation;
  }

  /** The operation of that request, if a handler may still await it. */
  awaitableBy(request: number): Operation | undefined {
    return this.handles?.get(request);
  }

  /** All operations that handlers may still await. */
  awaitable(): Iterable<Operation> {
    return this.handles?.values() ?? [];
  }

  /** Volatile state is lost, and code that awaits never wakes. The disk stays. */
  lose(status: 'stopped' | 'crashed'): void {
    this.status = status;
    this.isPaused = false;
    this.digest = undefined;
    this.state = undefined;
    this.subject = undefined;
    this.holdsItself = false;
    this.life += 1;
    this.timers = NONE;
    this.operations = NONE;
    this.asked = NONE;
    this.handles = undefined;
    this.suspended = 0;
    this.awaited = 0;
    this.code = undefined;
  }

  /** Every event of this process passes here, in order. */
  absorb(hi: number, lo: number): void {
    this.hi = mixHi(mixHi(this.hi, hi), lo);
    this.lo = mixLo(mixLo(this.lo, lo), hi);
    this.made = 0;
    this.step += 1;
    this.digest = undefined;
  }

  copyFor(owner: Owner): Process {
    const copy = new Process(this.name, this.at, this.behavior, owner, this.hi, this.lo);
    copy.random = this.random?.copy();
    copy.status = this.status;
    copy.flags = this.flags;
    copy.state = this.state === undefined ? undefined : copyData(this.state, this.name, 'the state');
    copy.subject = this.subject;
    copy.step = this.step;
    copy.clockMs = this.clockMs;
    copy.restarts = this.restarts;
    copy.life = this.life;
    copy.requests = this.requests;
    copy.spawned = this.spawned;
    copy.calls = this.calls;
    copy.calling = copyOf(this.calling);
    copy.timers = copyOf(this.timers);
    copy.operations = copyOf(this.operations);
    copy.asked = copyOf(this.asked);
    copy.peers = this.peers;
    copy.digest = this.digest;
    if (!this.hasEmptyDisk) copy.stored = new Map(this.stored);
    return copy;
  }
}

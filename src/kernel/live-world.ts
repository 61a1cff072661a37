import { familiarTo, type Familiar } from './user-code/examined-contents.ts';
import type { CulpritError } from '../error.ts';
import { mixHi, mixLo, type Digest } from '../trace/digest.ts';
import { ENVIRONMENT, type Event, type Internal, type Link, type Spawn } from '../trace/event.ts';
import type { AnyBehavior, Behavior } from './behavior.ts';
import { UnboundMethod } from './bound-world.ts';
import { OUTSIDE, type Channel, type InFlight } from './network/channel.ts';
import { Channels } from './network/channels.ts';
import { clientOperations, type ClientOperation } from './client-history.ts';
import { copyData } from './data/copy.ts';
import { oncePer } from './data/once-per.ts';
import type { Declaration, Faults } from './declaration.ts';
import { noFaults } from './declaration.ts';
import type { EventConsole } from './user-code/event-console.ts';
import { Process, type Owner } from './process.ts';
import type { Delay, Hold } from './network/enabled-world.ts';
import { Ready } from './network/ready.ts';
import { Recording } from './recording.ts';
import { TooManyProcesses, UndeclaredHost, UnknownKind, UnknownProcess } from './errors.ts';
import { uncontrolledWorld, type UncontrolledWorld } from './uncontrolled/uncontrolled-world.ts';
import { WaitingPlaces } from './network/waiting-places.ts';
import type { Delayed, Failure, HeldBack, ProcessView, RunningProcess, World } from './world.ts';

/** More than any system needs: so that one that never stops making processes ends before memory does. */
const PROCESSES_MAX = 100_000;

/** What most worlds have of most things: shared, until something is added. */
const NO_SPAWNS: ReadonlyMap<string, Spawn> = new Map();
const NONE_HELD: readonly InFlight[] = [];

/**
 * The world as the kernel changes it. Processes and channels are shared between forks and copied by the world that changes
 * them first: each knows its owner, and a fork gives both sides new owners.
 */
export class LiveWorld implements World {
  owner: Owner = {};
  recording: Recording;
  private readyEvents: Ready;
  /** Whether the kernel trusts data that looks plain, because other executions examined such data. */
  isTrusted = false;
  /** Shared between forks: copied by the world that first changes it. */
  processes: readonly Process[];
  private processesOwner: Owner | undefined;
  /** Names to places in `processes`. */
  private places: Map<string, number>;
  channels: Channels;
  private waiting: WaitingPlaces;
  /** The spawns that were requested and have not happened, by the name of the new process. */
  pendingSpawns: ReadonlyMap<string, Spawn> = NO_SPAWNS;
  /** Messages that are kept for processes that have not joined. */
  heldForAbsent: readonly InFlight[] = NONE_HELD;
  nowMs = 0;
  /** Present where processes do something by themselves. */
  readonly uncontrolled: UncontrolledWorld | undefined;
  /** Whether a handler has read any clock. */
  clockRead = false;
  /** How often each external has happened: the second crash of a process has another identity than the first. */
  private occurrences: Map<number, number> | undefined;
  /** Whether other worlds look at the same `places` and `occurrences`: then they are copied before they change. */
  private placesShared = true;
  private occurrencesShared = false;
  /** The messages that the environment holds back. Never changed in place: forks share it. */
  holds: readonly Hold[] = [];
  /** The messages that it delays, where the session has a clock. */
  delays: readonly Delay[] = [];
  spent: Faults = noFaults;
  /** How many links and lanes are cut. */
  cuts = 0;
  /** The sum of the digests of all faults on links and messages: a sum does not depend on their order. */
  private environmentHi = 0;
  private environmentLo = 0;
  /** The process whose handler runs now. Only its context may be used. */
  running: Process | undefined;
  failure: Failure | undefined;
  /** Whether a handler, or code it left behind, made something asynchronous in the event under way. */
  isAsync = false;
  /** Whether an event is under way that takes a while: nothing else may happen before it is over. */
  isUnderWay = false;
  /** Whether code queued a callback in the event under way, as ticks do, and whether code ran since that was last looked at. */
  isTicked = false;
  hasRun = false;
  /** The processes that may not be copyable: all that are not, and some that are again. */
  private uncopyable: Set<Process> | undefined;
  /** The error that a suspended handler threw in the event under way. */
  thrown: { readonly process: Process; readonly error: unknown } | undefined;
  /** The console output of the event under way, or of an earlier one. */
  printing: EventConsole | undefined;
  /** Set when a handler was woken by something that is not an event. */
  woken: CulpritError | undefined;

  private constructor(
    readonly declaration: Declaration,
    readonly seed: number,
    processes: readonly Process[],
    places: Map<string, number>,
    /** The shapes of data that handlers of this system have passed to the kernel, in any execution. */
    readonly familiar: Familiar,
    /** The world that it is a fork of. */
    parent?: LiveWorld,
    uncontrolled?: UncontrolledWorld,
  ) {
    this.processes = processes;
    this.places = places;
    this.uncontrolled = parent === undefined ? uncontrolledWorld(declaration) : uncontrolled;
    // A fork shares the objects of its parent instead of making its own: searches fork at every step.
    this.recording = parent?.recording.fork() ?? Recording.empty();
    this.readyEvents = parent?.readyEvents ?? Ready.none(this.owner);
    this.occurrences = parent?.occurrences;
    this.channels = parent?.channels ?? Channels.none(this.owner, declaration.processes.size);
    this.waiting = parent?.waiting ?? WaitingPlaces.none(this.owner);
  }

  static initial(declaration: Declaration, seed: number): LiveWorld {
    const { places, first } = declaredBy(declaration);
    const processes: Process[] = [];
    const world = new LiveWorld(declaration, seed, processes, places, familiarTo(declaration));
    for (const process of first) processes.push(process.waitingFor(world.owner));
    world.processesOwner = world.owner;
    return world;
  }

  /** The list of enabled events, to report facts to. A fork copies it first. */
  get ready(): Ready {
    if (this.readyEvents.owner !== this.owner) this.readyEvents = this.readyEvents.copyFor(this.owner);
    return this.readyEvents;
  }

  /** The internal events that may happen now. */
  get enabled(): readonly Internal[] {
    return this.readyEvents.current ?? this.ready.putInOrder(this);
  }

  /** The place of that event in the list, or -1. */
  placeOfEnabled(event: Internal): number {
    void this.enabled;
    return this.readyEvents.placeOf(this, event);
  }

  /** Whether the world is plain data: then it can be copied. */
  get forkable(): boolean {
    if (this.uncopyable === undefined) return true;
    for (const process of this.uncopyable) if (process.isCopyable) this.uncopyable.delete(process);
    return this.uncopyable.size === 0;
  }

  /** Where processes do something by themselves, the fork has `uncontrolled`, and the same objects of opaque processes: see `checkpoint`. */
  fork(uncontrolled?: UncontrolledWorld): LiveWorld {
    const { declaration, seed, processes, places, familiar } = this;
    const twin = new LiveWorld(declaration, seed, processes, places, familiar, this, uncontrolled);
    this.owner = {};
    if (this.pendingSpawns.size > 0) twin.pendingSpawns = new Map(this.pendingSpawns);
    if (this.heldForAbsent.length > 0) twin.heldForAbsent = this.heldForAbsent.slice();
    twin.nowMs = this.nowMs;
    twin.clockRead = this.clockRead;
    this.placesShared = true;
    twin.occurrencesShared = true;
    this.occurrencesShared = true;
    twin.spent = this.spent;
    twin.holds = this.holds;
    twin.delays = this.delays;
    twin.cuts = this.cuts;
    twin.environmentHi = this.environmentHi;
    twin.environmentLo = this.environmentLo;
    twin.failure = this.failure;
    twin.isTrusted = this.isTrusted;
    return twin;
  }

  /** The pending spawns, to be changed. */
  ownSpawns(): Map<string, Spawn> {
    if (this.pendingSpawns === NO_SPAWNS) this.pendingSpawns = new Map();
    return this.pendingSpawns as Map<string, Spawn>;
  }

  /** The message is kept until its receiver joins. */
  holdForAbsent(item: InFlight): void {
    if (this.heldForAbsent === NONE_HELD) this.heldForAbsent = [item];
    else (this.heldForAbsent as InFlight[]).push(item);
  }

  /** Adds a new process. */
  admit(name: string, behavior: AnyBehavior): Process {
    const at = this.processes.length;
    if (at >= PROCESSES_MAX) throw new TooManyProcesses(name, PROCESSES_MAX);
    const process = Process.create(name, at, behavior, this.owner);
    this.ownProcesses().push(process);
    if (this.placesShared) this.places = new Map(this.places);
    this.placesShared = false;
    this.places.set(name, at);
    return process;
  }

  /** Adds a new process of a declared kind. */
  admitKind(name: string, of: string, args: unknown): Process {
    const kind = this.declaration.kinds.get(of);
    if (kind === undefined) throw new UnknownKind(of, [...this.declaration.kinds.keys()], this.running?.name);
    // A copy: the recording keeps the arguments, and other executions may get the same.
    const behavior = kind(copyData(args, name, 'the arguments') as never);
    if (behavior.host !== undefined && behavior.host !== kind.host) throw new UndeclaredHost(of, behavior.host.name);
    return this.admit(name, behavior);
  }

  /** The clock of the session shows this. Timers may have become due. */
  passClock(nowMs: number): void {
    this.nowMs = Math.max(this.nowMs, nowMs);
    this.ready.timePassed();
  }

  place(name: string): number | undefined {
    return this.places.get(name);
  }

  /** The process, to be changed: a copy if a fork shares the old object. */
  own(at: number): Process {
    const process = this.processes[at] as Process;
    if (process.owner === this.owner) return process;
    const copy = process.copyFor(this.owner);
    this.ownProcesses()[at] = copy;
    return copy;
  }

  /** The channel, to be changed, made on first use: a copy if a fork shares the old object. */
  ownChannel(fromAt: number, at: number, lane?: string): Channel {
    if (this.channels.owner !== this.owner) this.channels = this.channels.copyFor(this.owner);
    return this.channels.own(fromAt, at, lane);
  }

  /** The numbers of the channels that may hold messages. Look each up in its turn: a change of a channel may replace the object. */
  channelsInUse(): readonly number[] {
    if (this.channels.isInDisorder) {
      if (this.channels.owner !== this.owner) this.channels = this.channels.copyFor(this.owner);
      this.channels.putInOrder();
    }
    return this.channels.inUse;
  }

  /** The places of the processes in which timers or operations may wait, in order. */
  waitingPlaces(): readonly number[] {
    if (this.waiting.isLong) this.ownWaiting().leaveOutIdle(this.processes);
    return this.waiting.inOrder;
  }

  /** A timer or an operation waits in that process from now on. */
  waitsIn(at: number): void {
    if (!this.waiting.has(at)) this.ownWaiting().add(at);
  }

  /** That process has a state, or has run code, that may not be copyable from now on. */
  mayNotBeCopyable(process: Process): void {
    this.uncopyable ??= new Set();
    this.uncopyable.add(process);
  }

  /** Whether the link itself is cut, or the lane itself. */
  isCut(fromAt: number, at: number, lane?: string): boolean {
    return this.channels.find(fromAt, at, lane)?.isCutItself === true;
  }

  /** How often the external has happened before. Two externals with one key share a count: their digests still differ. */
  countExternal(hi: number, lo: number): number {
    const key = hi * 0x20_0000 + (lo >>> 11);
    const before = this.occurrences?.get(key) ?? 0;
    if (this.occurrencesShared || this.occurrences === undefined) this.occurrences = new Map(this.occurrences);
    this.occurrencesShared = false;
    this.occurrences.set(key, before + 1);
    return before;
  }

  /** Adds a fault on a link or message to the name of the execution. */
  absorbEnvironment(hi: number, lo: number): void {
    this.environmentHi = (this.environmentHi + hi) | 0;
    this.environmentLo = (this.environmentLo + lo) | 0;
  }

  /** Names the execution so far, up to the order of independent events. */
  name(): Digest {
    let hi = this.environmentHi;
    let lo = this.environmentLo;
    for (const process of this.processes) {
      hi = (hi + mixHi(process.hi, process.lo)) | 0;
      lo = (lo + mixLo(process.lo, process.hi)) | 0;
    }
    return { hi, lo };
  }

  get length(): number {
    return this.recording.events.length;
  }

  get last(): Event | undefined {
    return this.recording.events.last;
  }

  get pending(): readonly Internal[] {
    const pending: Internal[] = [];
    // One by one: spread items become arguments, and a million arguments overflow the stack.
    const add = (events: readonly Internal[]): void => {
      for (const event of events) pending.push(event);
    };
    for (const number of this.channelsInUse()) {
      const channel = this.channels.at(number);
      if (channel.size > 0) add(channel.list());
    }
    if (this.heldForAbsent.length > 0) add(this.heldForAbsent);
    for (const at of this.waitingPlaces()) {
      const { timers, operations } = this.processes[at] as Process;
      add(timers);
      add(operations);
    }
    if (this.pendingSpawns.size > 0) add([...this.pendingSpawns.values()]);
    return pending;
  }

  get cutLinks(): readonly Link[] {
    return this.channels.cut().map((channel) => this.linkOf(channel));
  }

  get heldBack(): readonly HeldBack[] {
    return this.holds;
  }

  get delayed(): readonly Delayed[] {
    return this.delays;
  }

  operations(events?: number): readonly ClientOperation[] {
    mustHaveWorld(this, 'operations');
    const length = events ?? this.length;
    return clientOperations(this.recording.notes.since(0).filter(({ event }) => event < length));
  }

  process(name: string): ProcessView {
    mustHaveWorld(this, 'process');
    const at = this.places.get(name);
    if (at === undefined) throw new UnknownProcess(name, [...this.places.keys()]);
    return this.processes[at] as Process;
  }

  up(): readonly RunningProcess[];
  up<V extends object>(behavior: { view(state: never): V }): readonly RunningProcess<V>[];
  up<S extends object, M, T extends string>(behavior: Behavior<S, M, T>): readonly RunningProcess<S>[];
  up(behavior?: unknown): readonly RunningProcess[] {
    mustHaveWorld(this, 'up');
    const found: Process[] = [];
    for (const process of this.processes) {
      if (process.status === 'up' && (behavior === undefined || process.behavior === behavior)) found.push(process);
    }
    return found as RunningProcess[];
  }

  private linkOf({ fromAt, at, lane }: Channel): Link {
    const nameAt = (place: number): string =>
      place === OUTSIDE ? ENVIRONMENT : (this.processes[place] as Process).name;
    return lane === undefined ? [nameAt(fromAt), nameAt(at)] : [nameAt(fromAt), nameAt(at), lane];
  }

  private ownProcesses(): Process[] {
    if (this.processesOwner !== this.owner) {
      this.processes = this.processes.slice();
      this.processesOwner = this.owner;
    }
    return this.processes as Process[];
  }

  private ownWaiting(): WaitingPlaces {
    if (this.waiting.owner !== this.owner) this.waiting = this.waiting.copyFor(this.owner);
    return this.waiting;
  }
}

/** The declared processes, before anything happens, and their places: the same in all executions. */
const declaredBy = oncePer(({ processes }: Declaration) => {
  const names = [...processes.keys()];
  if (names.length > PROCESSES_MAX) throw new TooManyProcesses(names[PROCESSES_MAX] as string, PROCESSES_MAX);
  const nobody: Owner = {};
  return {
    places: new Map(names.map((name, at) => [name, at])),
    first: [...processes].map(([name, behavior], at) => Process.create(name, at, behavior, nobody)),
  };
});

/** Throws if a method was taken out of its world. */
function mustHaveWorld(world: LiveWorld | undefined, method: string): void {
  if (world === undefined) throw new UnboundMethod(method);
}

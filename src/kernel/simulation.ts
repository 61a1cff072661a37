import type { Digest } from '../trace/digest.ts';
import { isBackground, isPeriodic } from './uncontrolled/passing-rules.ts';
import { enabledAt, enabledLike, findEnabled, pendingLike } from './network/alike.ts';
import { ENVIRONMENT, isInternal, type External, type Internal } from '../trace/event.ts';
import { followAsyncCode, followQueues } from './user-code/async-code.ts';
import type { Declaration } from './declaration.ts';
import { endHolds } from './network/holds.ts';
import { changesInPlace } from './network/ready.ts';
import { performExternal } from './external-events.ts';
import { possibleFaults } from './faults.ts';
import { HandlerCalls } from './handler-calls.ts';
import { performInternal } from './internal-events.ts';
import { LiveWorld } from './live-world.ts';
import { closeAll } from './opaque-state.ts';
import type { Process } from './process.ts';
import type { RecordedMoment, Session, SessionCheckpoint, Waited, WaitOptions } from './ports.ts';
import { followPrinting } from './user-code/console-capture.ts';
import type { Recording } from './recording.ts';
import { refusal } from './preconditions.ts';
import { Refused, Stuck } from './errors.ts';
import { examineStateNow } from './user-code/examine.ts';
import { eventLoopTurned } from './user-code/turns.ts';
import { nextDueMs } from './timers.ts';
import { takeIn } from './uncontrolled/arrivals.ts';
import { isCheckpointable, WorldCheckpoint } from './uncontrolled/checkpoint.ts';
import type { UncontrolledWorld } from './uncontrolled/uncontrolled-world.ts';
import { guaranteesOf } from './guarantees.ts';
import type { Guarantees } from './host.ts';
import { worldDigest } from './world-digest.ts';
import type { World } from './world.ts';

/** A session in memory: only performed events happen in it. */
export class Simulation implements Session {
  private isClosed = false;

  private constructor(
    private readonly live: LiveWorld,
    readonly guarantees: Guarantees,
    /** The session that is in use, of all that proceed from checkpoints of one another. */
    private family?: { inUse: Simulation },
  ) {}

  static open(declaration: Declaration, seed: number, isTrusted = false): Simulation {
    // Test runners put back the globals that stood there before.
    followAsyncCode();
    followQueues();
    followPrinting();
    const live = LiveWorld.initial(declaration, seed);
    live.isTrusted = isTrusted;
    return new Simulation(live, guaranteesOf(declaration));
  }

  get enabled(): readonly Internal[] {
    return this.live.enabled;
  }

  get world(): World {
    return this.live;
  }

  get recording(): Recording {
    return this.live.recording;
  }

  get fork(): (() => Simulation) | undefined {
    return this.live.forkable ? () => new Simulation(this.live.fork(), this.guarantees) : undefined;
  }

  get checkpoint(): (() => Promise<SessionCheckpoint | undefined>) | undefined {
    const { live } = this;
    const { uncontrolled } = live;
    if (uncontrolled === undefined || this.isClosed || !isCheckpointable(live)) return undefined;
    return async () => {
      const then = await WorldCheckpoint.of(live, uncontrolled);
      return then && { proceed: () => this.proceed(then), close: () => then.close() };
    };
  }

  private async proceed(then: WorldCheckpoint): Promise<Simulation | undefined> {
    const world = await then.proceed();
    if (world === undefined) return undefined;
    const family = (this.family ??= { inUse: this });
    family.inUse.isClosed = true;
    family.inUse = new Simulation(world, this.guarantees, family);
    return family.inUse;
  }

  get roundMs(): number | undefined {
    return this.live.declaration.roundMs;
  }

  isBackground(event: Internal): boolean {
    const { declaration, recording } = this.live;
    return isBackground(declaration, event) || isPeriodic(declaration, event, recording.events.get(event.cause));
  }

  faults(): readonly External[] {
    return possibleFaults(this.live, this.enabled);
  }

  refusal(external: External): string | undefined {
    return refusal(this.live, external);
  }

  find(wanted: Internal): Internal | undefined {
    return findEnabled(this.live, wanted);
  }

  enabledLike(wanted: Internal): readonly Internal[] {
    return enabledLike(this.live, wanted);
  }

  enabledAt(process: string): readonly Internal[] {
    return enabledAt(this.live, process);
  }

  pendingLike(wanted: Internal): readonly Internal[] {
    return pendingLike(this.live, wanted);
  }

  perform(event: Internal | External): void | Promise<void> {
    const { uncontrolled } = this.live;
    if (uncontrolled === undefined) return this.performNow(event);
    const { length } = this.live;
    if (isInternal(event)) uncontrolled.identities.delivers(event);
    const beganMs = inMicroseconds(uncontrolled.clock.nowMs);
    uncontrolled.times.begins('process' in event ? event.process : ENVIRONMENT, beganMs);
    return this.takeInAfter(this.performNow(event), length, beganMs, uncontrolled);
  }

  mustReturn(event: Internal | External): boolean {
    if (this.live.uncontrolled === undefined) return true;
    const name = 'process' in event ? event.process : ENVIRONMENT;
    const at = this.live.place(name);
    return at !== undefined && this.live.processes[at]?.behavior.host?.controlled !== false;
  }

  /** The event loop has a turn after every event, so that processes that do things by themselves have theirs. */
  private async takeInAfter(
    pending: void | Promise<void>,
    before: number,
    beganMs: number,
    uncontrolled: UncontrolledWorld,
  ): Promise<void> {
    await pending;
    uncontrolled.times.ends();
    for (const [at, event] of this.live.recording.events.since(before).entries()) {
      uncontrolled.lastEvents.set(event.process, before + at);
      Object.assign(event, { atMs: beganMs });
    }
    await eventLoopTurned();
    uncontrolled.clock.eventPassed?.();
    await takeIn(this.live, uncontrolled);
    uncontrolled.resources.afterEvent(this.live);
  }

  get wait(): ((until: WaitOptions) => Promise<Waited>) | undefined {
    const { uncontrolled } = this.live;
    return uncontrolled && ((until) => this.waitFor(until, uncontrolled));
  }

  private async waitFor({ ms, matching }: WaitOptions, uncontrolled: UncontrolledWorld): Promise<Waited> {
    const { clock, inbox } = uncontrolled;
    const untilMs = clock.nowMs + ms;
    const before = this.enabled.length;
    for (let arrived = false; ;) {
      if (await takeIn(this.live, uncontrolled)) arrived = true;
      if (this.isClosed) return 'ended';
      if (matching !== undefined && this.enabled.some(matching)) return 'matched';
      if (matching === undefined && (arrived || this.enabled.length > before)) return 'arrived';
      const { nowMs } = clock;
      if (nowMs >= untilMs) return 'timeout';
      await clock.wait(Math.min(untilMs, nextDueMs(this.live)) - nowMs, (wake) => inbox.onArrival(wake));
      inbox.onArrival(undefined);
    }
  }

  followRecording(moment: RecordedMoment | undefined): void {
    this.live.uncontrolled?.times.follow(moment);
  }

  get nowMs(): number {
    return this.live.uncontrolled?.clock.nowMs ?? this.live.nowMs;
  }

  private performNow(event: Internal | External): void | Promise<void> {
    const pending = this.performOne(event);
    if (this.live.holds.length === 0) return pending;
    return pending === undefined ? endHolds(this.live) : pending.then(() => endHolds(this.live));
  }

  private performOne(event: Internal | External): void | Promise<void> {
    if (this.live.woken !== undefined) throw this.live.woken;
    if (this.live.isUnderWay) throw new Error('the event before is not over: its promise was not awaited');
    followAsyncCode();
    if (!isInternal(event)) {
      // Read in any case: then it makes no difference to the order of the list whether a caller has read it before.
      if (changesInPlace(event)) void this.enabled;
      return performExternal(this.live, event, -1);
    }
    const readyAt = this.live.placeOfEnabled(event);
    if (readyAt >= 0) return performInternal(this.live, event, readyAt);
    // The same event, met in another session of the same execution.
    const twin = this.find(event);
    if (twin === undefined) throw new Refused(`${event.kind} at ${event.process}`, 'it is not enabled');
    return performInternal(this.live, twin, this.enabled.indexOf(twin));
  }

  get stuck(): Stuck | undefined {
    if (this.enabled.length > 0 || this.live.uncontrolled !== undefined) return undefined;
    const process = this.live.processes.find(({ suspended, awaited }) => suspended > 0 && awaited === 0);
    return process && new Stuck(process.name, process.suspendedAt + 1);
  }

  name(): Digest {
    return this.live.name();
  }

  worldDigest(isTimed?: boolean, isOrdered?: boolean): Digest {
    return worldDigest(this.live, isTimed, isOrdered);
  }

  get clockRead(): boolean {
    return this.live.clockRead;
  }

  get isDrawn(): boolean {
    return this.live.processes.some(({ random }) => random !== undefined);
  }

  /** Says of events of this session which handlers they call. */
  handlerCalls(): HandlerCalls {
    return new HandlerCalls(this.live);
  }

  examineStates(): void {
    if (this.live.isTrusted) for (const process of this.live.processes) examineStateNow(this.live, process);
  }

  close(): void | Promise<void> {
    if (this.isClosed) return undefined;
    this.isClosed = true;
    const { processes, uncontrolled, forkable } = this.live;
    // Plain data needs no closing.
    if (uncontrolled === undefined && forkable) return undefined;
    return uncontrolled?.resources.isEmpty === false ? closedWith(processes, uncontrolled) : closeAll(processes);
  }
}

/** Processes end before the things that they share, which end also if a process does not. */
async function closedWith(processes: readonly Process[], { resources }: UncontrolledWorld): Promise<void> {
  try {
    await closeAll(processes);
  } finally {
    await resources.close();
  }
}

/** Milliseconds, as exact as a replay needs them: what a process does by itself may fall between two events of one millisecond. */
const inMicroseconds = (ms: number): number => Math.round(ms * 1000) / 1000;

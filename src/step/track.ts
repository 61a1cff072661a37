import type { ProgramProgress } from '../schedule/environment-program.ts';
import { problemOf } from '../error.ts';
import { ReplayDiverged } from '../schedule/replay/exact-replay.ts';
import { TimedOut } from '../kernel/user-code/time-limit.ts';
import { carefully, driveAtLength, driveInTurns, surely } from '../kernel/drive.ts';
import { hung, Rest, type Outcome, type PausedExecution, type Steps } from '../kernel/loop.ts';
import { Observer } from '../kernel/observer.ts';
import type { Oracle, Session, WaitOptions } from '../kernel/ports.ts';
import { Refused } from '../kernel/errors.ts';
import type { PlanItem } from '../system/workload.ts';
import type { Origin } from '../execution/record.ts';
import { oracleOf } from '../oracles/oracle-of-system.ts';
import { targetOf } from '../hosts/target.ts';
import type { Event, External, Internal } from '../trace/event.ts';
import type { EventLine } from '../trace/format.ts';
import { contentOf } from '../trace/codec.ts';
import { HOLDS, type Verdict } from '../trace/verdict.ts';
import { remembers } from '../oracles/remembers.ts';

/** A command that caused events, as it can be typed again. */
export interface Typed {
  readonly text: string;
  /** The command for only the first steps of it. */
  readonly part?: (steps: number) => string;
}

/** An event to perform. */
export interface Move {
  readonly event: Internal | External;
  /** The progress of the workload afterward, if the event belongs to the workload. */
  readonly workload?: number;
}

/** A performed step: one event, or an action with all its events. */
export interface TrackStep extends Move {
  readonly typed: Typed;
  readonly lines: readonly EventLine[];
  /** The progress of the workload afterward. */
  readonly progress: ProgramProgress;
}

/** The live parts of an execution. */
type LiveTrack = Pick<PausedExecution, 'session' | 'oracle'>;

/** An execution that a hunt has begun, with its events so far. */
export interface BegunExecution extends PausedExecution {
  readonly lines: readonly EventLine[];
}

/** So many copies of the world are kept, and fewer after so many steps: a world may have grown with each step. */
const COPIES = { most: 64, least: 4, steps: 400_000 };

/** The number of steps between copies of the world: it doubles with the number of steps, since a copy may take as long as all of them. */
const stepsPerCopy = (steps: number): number => 100 * 2 ** Math.max(0, Math.ceil(Math.log2((steps + 1) / 6_400)));

/**
 * An execution made by hand, with undo. To take steps back, it returns to the nearest earlier copy of the world and
 * executes the rest again. If the world cannot be copied, or an oracle has memory, it executes everything again. Where
 * processes act by themselves, or a hunt has begun the execution, nothing can be taken back.
 */
export class Track {
  steps: TrackStep[] = [];
  /** Steps that were taken back, the next first, until another step is taken. */
  undone: TrackStep[] = [];
  verdict: Verdict;
  /** The workload in order. */
  readonly plan: readonly PlanItem[];
  private readonly initialVerdict: Verdict;
  private readonly whole: Oracle;
  private live: LiveTrack;
  private observer: Observer;
  /** Copies of the world by number of steps. */
  private copies = new Map<number, Session>();
  private underWay: (Move & { readonly typed: Typed; readonly after: number }) | undefined;

  constructor(
    readonly origin: Origin,
    private readonly begun?: BegunExecution,
  ) {
    // The caller that has begun the execution continues its workload.
    this.plan = begun === undefined ? origin.system.plan(origin.seed).items : [];
    this.whole = oracleOf(origin.system);
    this.observer = new Observer(origin.hasTextDigests);
    this.live = begun ?? this.fresh();
    if (begun !== undefined) this.observer.catchUp(begun.session);
    this.initialVerdict = begun === undefined ? this.live.oracle.judge(this.session.world, undefined) : HOLDS;
    this.verdict = this.initialVerdict;
  }

  get session(): Session {
    return this.live.session;
  }

  get lines(): readonly EventLine[] {
    return [...(this.begun?.lines ?? []), ...this.steps.flatMap(({ lines }) => lines)];
  }

  get events(): readonly Event[] {
    return this.session.recording.events.since(0);
  }

  /** The progress of the workload. */
  get progress(): ProgramProgress {
    return this.steps.at(-1)?.progress ?? { at: 0, since: 0 };
  }

  /** An execution ends with its verdict. */
  get isOver(): boolean {
    return this.verdict.kind !== 'holds';
  }

  /**
   * Runs steps to their end. If a step fails, it is taken back, so that nothing is lost; a handler that does not return
   * is a violation.
   */
  async drive<T>(steps: () => Steps<T>): Promise<T | undefined> {
    try {
      const result = await this.driveOrTakeAgain(steps);
      if (result.isWhole) return result.value;
    } catch (error) {
      if (error instanceof TimedOut) return this.end(hung(error, this.session));
      if (this.underWay !== undefined) await this.takeBack(error);
      throw error;
    }
    return this.isOver ? undefined : await this.drive(steps);
  }

  /** The step that failed; where it cannot be taken back, nothing is known from then on, if it happened at all. */
  private async takeBack(error: unknown): Promise<void> {
    const { after } = this.underWay as NonNullable<Track['underWay']>;
    if (this.canUndo) return await this.goTo(after);
    const lines = this.observer.observe(this.session);
    if (lines.length > 0) {
      this.add(lines);
      this.verdict = { kind: 'unknown', why: problemOf(error) };
    }
    this.underWay = undefined;
  }

  /** If the time limit ends a step, that step is taken back and executed again by itself; then the rest follows. */
  private async driveOrTakeAgain<T>(steps: () => Steps<T>): Promise<{ isWhole: true; value: T } | { isWhole: false }> {
    const { handlerMs } = this.origin;
    if (!this.canUndo) return { isWhole: true, value: await driveAtLength(steps(), handlerMs) };
    try {
      return { isWhole: true, value: await driveInTurns(steps(), handlerMs) };
    } catch (error) {
      if (!(error instanceof TimedOut) || this.underWay === undefined) throw error;
      const { typed, after, ...move } = this.underWay;
      await carefully(() => this.takeAgain(move, typed, after), handlerMs);
      return { isWhole: false };
    }
  }

  private *takeAgain(move: Move, typed: Typed, after: number): Steps<void> {
    yield* this.going(after, true);
    yield undefined;
    yield* this.take(move, typed);
  }

  /** Takes back the last steps, and returns them. */
  async undo(count: number): Promise<readonly TrackStep[]> {
    const taken = this.steps.slice(Math.max(0, this.steps.length - count));
    await this.goTo(this.steps.length - taken.length);
    this.undone = [...taken, ...this.undone];
    return taken;
  }

  /** Repeats steps that were taken back, as far as possible. */
  async redo(count: number): Promise<readonly TrackStep[]> {
    const from = this.steps.length;
    const { undone } = this;
    try {
      await this.drive(() => this.again(undone.slice(this.steps.length - from, count)));
    } finally {
      this.undone = undone.slice(this.steps.length - from);
    }
    return this.steps.slice(from);
  }

  private *again(steps: readonly TrackStep[]): Steps<void> {
    for (const step of steps) {
      if (this.isOver) return;
      yield* this.take(step, step.typed);
    }
  }

  /** Performs an event. Steps that were taken back before can no longer be repeated. */
  *take({ event, workload }: Move, typed: Typed): Steps<void> {
    const { session, oracle } = this.live;
    const after = this.steps.length;
    const isDue = this.steps.at(-1)?.typed !== typed || after % stepsPerCopy(after) === 0;
    if (isDue && this.canUndo) this.copy(session);
    this.underWay = { event, typed, after, ...(workload === undefined ? {} : { workload }) };
    const pending = session.perform(event);
    if (pending !== undefined) yield session.mustReturn(event) ? pending : new Rest(pending);
    this.add(this.observer.observe(session));
    this.begun?.observe?.(session);
    this.verdict = oracle.judge(session.world, session.world.last);
    // Only now, because a step that cannot be judged is taken back.
    this.underWay = undefined;
  }

  /** Lets time pass, where processes act by themselves. */
  *pause(until: WaitOptions): Steps<void> {
    const { session, oracle } = this.live;
    if (session.wait === undefined || this.isOver) return;
    yield new Rest(session.wait(until).then(() => undefined));
    this.verdict = oracle.judge(session.world, session.world.last);
  }

  /** Whether nothing happens unless it is performed. */
  get isControlled(): boolean {
    return this.session.guarantees.controlled;
  }

  /** Whether a hunt has begun the execution, and continues it later. */
  get isBorrowed(): boolean {
    return this.begun !== undefined;
  }

  get canUndo(): boolean {
    return this.isControlled && !this.isBorrowed;
  }

  /** How the execution ends if it ends here. Whether it is quiet is unknown where processes act by themselves. */
  get outcome(): Outcome {
    const { session, oracle } = this.live;
    if (this.verdict.kind !== 'holds') return { verdict: this.verdict, ending: 'verdict' };
    return { verdict: oracle.end?.(session.world, false) ?? HOLDS, ending: 'finished' };
  }

  /** Ends the lives of all processes. */
  async close(): Promise<void> {
    await this.session.close();
  }

  private add(lines: readonly EventLine[]): void {
    const { event, typed, workload } = this.underWay as NonNullable<Track['underWay']>;
    const moved = workload === undefined ? this.progress : { at: workload, since: this.session.world.length };
    this.steps.push({ event, typed, lines, progress: moved, ...(workload === undefined ? {} : { workload }) });
    this.undone = [];
  }

  /** The effects of a handler before it was ended depend on the speed of the machine: only its event is certain. */
  private end(verdict: Verdict): undefined {
    const { last, length } = this.session.world;
    if (length > this.lines.length && last !== undefined) this.add([{ event: length, ...contentOf(last) }]);
    this.underWay = undefined;
    this.verdict = verdict;
    return undefined;
  }

  private copy(session: Session): void {
    const copied = remembers(this.whole) ? undefined : session.fork?.();
    if (copied !== undefined) this.copies.set(this.steps.length, copied);
    const most = Math.max(COPIES.least, Math.min(COPIES.most, COPIES.steps / (this.steps.length + 1)));
    // Every second one stays, and the last: copies of large worlds would fill the memory.
    if (this.copies.size > most)
      this.copies = new Map([...this.copies].filter((_copy, at, { length }) => at % 2 === 0 || at === length - 1));
  }

  /** Restores the world after this many steps. The current one stays until that is reached. */
  private goTo(count: number): Promise<void> {
    return surely((isCareful) => this.going(count, isCareful), this.origin.handlerMs);
  }

  private *going(count: number, isCareful = false): Steps<void> {
    const kept = this.steps.slice(0, count);
    const from = [...this.copies.keys()].reduce((best, at) => (at <= count && at > best ? at : best), 0);
    const copied = this.copies.get(from)?.fork?.();
    const live = copied === undefined ? this.fresh() : { session: copied, oracle: this.whole };
    yield* repeatSteps(live, kept.slice(copied === undefined ? 0 : from), isCareful);
    this.live = live;
    this.steps = kept;
    this.underWay = undefined;
    this.verdict = count === 0 ? this.initialVerdict : HOLDS;
    this.copies = new Map([...this.copies].filter(([at]) => at <= count));
    // A new observer must know the states before the next changes; earlier lines have been shown already.
    this.observer = new Observer(this.origin.hasTextDigests);
    this.observer.catchUp(live.session);
  }

  private fresh(): LiveTrack {
    const session = targetOf(this.origin.system).open(this.origin.seed);
    return { session, oracle: this.whole.begin?.(session) ?? this.whole };
  }
}

/** Repeats steps, from a copy of the world or from the start. */
function* repeatSteps({ session, oracle }: LiveTrack, steps: readonly TrackStep[], isCareful: boolean): Steps<void> {
  if (session.world.length === 0) oracle.judge(session.world, undefined);
  for (const { event } of steps) {
    const number = session.world.length + 1;
    try {
      const pending = session.perform(event);
      if (pending !== undefined) yield pending;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      throw new ReplayDiverged(number, error.message);
    }
    oracle.judge(session.world, session.world.last);
    if (isCareful) yield undefined;
  }
}

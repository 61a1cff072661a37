import type { Pace } from '../kernel/declaration.ts';
import type { Random } from '../kernel/data/random.ts';
import { Pause, type Session, type Strategy } from '../kernel/ports.ts';
import { isUntilRound, type Plan, type PlanItem } from '../system/workload.ts';
import { isInternal, type External, type Internal } from '../trace/event.ts';
import { Activity, isActivity } from './activity.ts';
import type { Chooser } from './choosers/chooser.ts';
import { WorkloadDriver } from './workload-driver.ts';

/** Out of a hundred rounds, how many are given to faults while their budgets last. */
const FAULT_PERCENT = 20;

/**
 * Drives the workload of a system in which events appear by themselves. Each round the environment does one thing, unless the workload
 * says what happens in a round; enabled events happen meanwhile, in the order of the chooser; when nothing is enabled, time passes. Without rounds the whole
 * workload would be over before such a process could answer.
 */
export class RoundDriver implements Strategy {
  private readonly workload: WorkloadDriver;
  /** When the environment may do the next thing. */
  private roundEndsMs = 0;
  private readonly activity = new Activity();
  /** How much of the time of the session is not this execution's. */
  private leftOutMs = 0;
  /** For each item of the plan, and for its end: the rounds before it. */
  private readonly roundsBefore: readonly number[];

  constructor(
    chooser: Chooser,
    random: Random,
    plan: Plan,
    private readonly pace: Pace,
  ) {
    this.roundsBefore = roundsBefore(plan, pace);
    const isQuiet = ({ nowMs }: Session): boolean => this.isQuiet(nowMs);
    this.workload = new WorkloadDriver(chooser, random, plan, FAULT_PERCENT, isQuiet, pace.roundMs);
  }

  /** How many rounds the workload has, if each of its waits with a limit lasts as long as it may. */
  get rounds(): number {
    return this.roundsBefore.at(-1) ?? 0;
  }

  /** The round of the workload that is under way, counted from 1: that of the last input, or of the wait that is over. */
  get round(): number {
    return Math.max(1, this.roundsBefore[this.workload.position] ?? 0);
  }

  /** Time has passed in which somebody else performed events: no limit of the execution or of a wait counts it. */
  leaveOut(ms: number): void {
    this.leftOutMs += ms;
    this.workload.leaveOut(ms);
  }

  next(session: Session): Internal | External | Pause | undefined {
    const { nowMs } = session;
    this.activity.note(session);
    if (nowMs >= this.endMs) return undefined;
    this.workload.isHeldBack = nowMs < this.roundEndsMs && !this.isQuiet(nowMs);
    const event = this.workload.next(session);
    if (event === undefined) return this.pause(session);
    // A wait neither disturbs the system nor takes a round: it has taken its time.
    if (event.kind === 'wait') return event;
    if (isActivity(event, session)) this.activity.lastMs = nowMs;
    if (!isInternal(event)) this.roundEndsMs = nowMs + this.pace.roundMs;
    return event;
  }

  private get endMs(): number {
    return this.pace.executionMs + this.leftOutMs;
  }

  private isQuiet(nowMs: number): boolean {
    return this.activity.isQuietFor(this.pace.quietMs, nowMs);
  }

  /** Nothing is enabled and the environment does nothing: the round continues, or the execution is over. */
  private pause(session: Session): Pause | undefined {
    const { nowMs } = session;
    const writeInMs = this.workload.lateWriteMs(session) - nowMs;
    // A system with a write that is late is not quiet.
    if (writeInMs < Infinity) this.activity.lastMs = nowMs;
    const quietInMs = this.activity.lastMs + this.pace.quietMs - nowMs;
    if (this.workload.isDone && quietInMs <= 0) return undefined;
    const roundInMs = this.workload.isDone ? Infinity : this.roundEndsMs - nowMs;
    const waitInMs = this.workload.waitEndsMs - nowMs;
    const ms = Math.min(...[quietInMs, roundInMs, waitInMs, writeInMs].filter((left) => left > 0), this.endMs - nowMs);
    return new Pause({ ms });
  }
}

/** A wait takes as many rounds as it may last, and an input one, unless the workload says where its rounds end. */
function roundsBefore({ items, startsFirst }: Plan, { roundMs }: Pace): number[] {
  const ofInput = items.some(isUntilRound) ? 0 : 1;
  const roundsOf = (item: PlanItem): number => {
    if (item.kind !== 'until') return ofInput;
    return Math.max(1, Math.round((('withinMs' in item ? item.withinMs : undefined) ?? 0) / roundMs));
  };
  const before = [0];
  for (const [at, item] of items.entries())
    before.push((before.at(-1) as number) + (at < startsFirst ? 0 : roundsOf(item)));
  return before;
}

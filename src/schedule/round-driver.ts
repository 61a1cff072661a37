import type { Pace } from '../kernel/declaration.ts';
import type { Random } from '../kernel/data/random.ts';
import { Pause, type Session, type Strategy } from '../kernel/ports.ts';
import type { Plan } from '../system/workload.ts';
import { isInternal, type External, type Internal } from '../trace/event.ts';
import type { Chooser } from './choosers/chooser.ts';
import { Activity } from './activity.ts';
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
  /** When something last happened. */
  private lastMs = 0;
  private seen = 0;
  private readonly activity = new Activity();
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

  /** The round of the workload that is under way, counted from 1: that of the last input. */
  get round(): number {
    return Math.max(1, this.roundsBefore[this.workload.position] ?? 0);
  }

  next(session: Session): Internal | External | Pause | undefined {
    const { nowMs } = session;
    this.noteActivity(session);
    if (nowMs >= this.pace.executionMs) return undefined;
    this.workload.isHeldBack = nowMs < this.roundEndsMs && !this.isQuiet(nowMs);
    const event = this.workload.next(session);
    if (event === undefined) return this.pause(session);
    if (!isInternal(event) || !session.isBackground(event)) this.lastMs = nowMs;
    if (!isInternal(event)) this.roundEndsMs = nowMs + this.pace.roundMs;
    return event;
  }

  private isQuiet(nowMs: number): boolean {
    return nowMs - this.lastMs >= this.pace.quietMs;
  }

  /** Arrivals count as activity, also those that are no event. */
  private noteActivity(session: Session): void {
    const arrived = session.enabled.filter((event) => !session.isBackground(event)).length;
    const seen = this.activity.of(session) + arrived;
    if (seen !== this.seen) this.lastMs = session.nowMs;
    this.seen = seen;
  }

  /** Nothing is enabled and the environment does nothing: the round continues, or the execution is over. */
  private pause({ nowMs }: Session): Pause | undefined {
    const quietInMs = this.lastMs + this.pace.quietMs - nowMs;
    if (this.workload.isDone && quietInMs <= 0) return undefined;
    const roundInMs = this.workload.isDone ? Infinity : this.roundEndsMs - nowMs;
    const waitInMs = this.workload.waitEndsMs - nowMs;
    const ms = Math.min(...[quietInMs, roundInMs, waitInMs].filter((left) => left > 0), this.pace.executionMs - nowMs);
    return new Pause({ ms });
  }
}

/** An input takes a round, and a wait as many as it may last. */
function roundsBefore({ items, startsFirst }: Plan, { roundMs }: Pace): number[] {
  const before = [0];
  for (const [at, item] of items.entries()) {
    const withinMs = item.kind === 'wait' && 'withinMs' in item ? item.withinMs : undefined;
    const rounds = at < startsFirst ? 0 : Math.max(1, Math.round((withinMs ?? 0) / roundMs));
    before.push((before.at(-1) as number) + rounds);
  }
  return before;
}

import { isInternal, type External, type Internal } from '../trace/event.ts';
import { truthOf } from '../kernel/user-code/answer.ts';
import { doneAsking, nowAsking } from '../kernel/user-code/asking.ts';
import type { Session, Strategy } from '../kernel/ports.ts';
import type { Random } from '../kernel/data/random.ts';
import { SystemThrew } from '../kernel/errors.ts';
import {
  conditionText,
  isMet,
  isPacing,
  isUntilRound,
  numberOf,
  type Condition,
  type Plan,
  type Trigger,
  type Wait,
} from '../system/workload.ts';
import { chooseNext, type Candidate, type Chooser } from './choosers/chooser.ts';
import { endedWait } from './ended-wait.ts';
import { LateWrites } from './late-writes.ts';
import { MessageFaults } from './message-faults.ts';

/** The percentage of steps that are faults while their budgets last. */
const FAULT_PERCENT = 3;

/** A random fault, in a few steps only; undefined in the others, and when no budget is left. */
export function randomFault(
  random: Random,
  session: Session,
  percent = FAULT_PERCENT,
  rates?: MessageFaults,
): External | undefined {
  if (random.below(100) >= percent) return undefined;
  const all = session.faults();
  const faults = rates === undefined ? all : all.filter((fault) => !rates.decidesAbout(fault));
  const holds = faults.findIndex(({ kind }) => kind === 'hold');
  if (holds < 0) return faults.length === 0 ? undefined : random.pick(faults);
  return oneOf(random, faults.slice(0, holds), faults.slice(holds));
}

/** A message can be held until any of many events. It counts as one fault, so that holds do not crowd out all others. */
function oneOf(random: Random, others: readonly External[], holds: readonly External[]): External {
  const byMessage = new Map<string, External[]>();
  for (const hold of holds) {
    if (hold.kind !== 'hold') continue;
    const same = byMessage.get(hold.target);
    if (same === undefined) byMessage.set(hold.target, [hold]);
    else same.push(hold);
  }
  return random.pick(random.pick([...others.map((fault) => [fault]), ...byMessage.values()]));
}

const onlyTimersLeft = ({ enabled }: Session): boolean => enabled.every(({ kind }) => kind === 'fire');

/**
 * Lets a chooser decide between the enabled events and the next external of a plan. Obeys the waits and triggers of the
 * plan, and adds random faults.
 */
export class WorkloadDriver implements Strategy {
  private injected = 0;
  private armed: readonly Trigger[];
  private seen = 0;
  private deliveries = 0;
  /** The number of deliveries at the last external of the plan. */
  private since = 0;
  /** The index of the wait that holds the plan back, and when it began. */
  private waitAt = -1;
  private waitBeganMs = 0;
  /** The index of the item after the next external, and whether all remaining externals are refused. */
  private after = 0;
  private isRefused = false;
  /** Whether the environment does nothing for now; the workload goes by its own rounds, if it has any. */
  isHeldBack = false;
  private readonly messageFaults: MessageFaults | undefined;
  private readonly lateWrites: LateWrites | undefined;
  /** Whether the plan says where its rounds end, once that has been looked up. */
  private hasRounds: boolean | undefined;

  constructor(
    private readonly chooser: Chooser,
    private readonly random: Random,
    private readonly plan: Plan,
    private readonly faultPercent = FAULT_PERCENT,
    /** Whether nothing but timers is left to happen. */
    private readonly isQuiet = onlyTimersLeft,
    /** How long a round of the plan lasts, where events appear by themselves. */
    private readonly roundMs = 0,
  ) {
    this.armed = plan.triggers;
    this.messageFaults = plan.faultRates && new MessageFaults(plan.faultRates, random.next());
    const writes = plan.faultRates?.writes;
    this.lateWrites = writes && new LateWrites(writes, random.next());
  }

  /** The index of the item of the plan that comes next. */
  get position(): number {
    return this.injected;
  }

  /** Whether the plan is done, or none of its remaining externals can happen. */
  get isDone(): boolean {
    return this.isRefused || this.injected >= this.plan.items.length;
  }

  next(session: Session): Internal | External | undefined {
    if (this.injected < this.plan.startsFirst) return this.plan.items[this.injected++] as External;
    const consequence = this.consequence(session);
    if (consequence !== undefined) return consequence;
    const fault = this.isHeldBack
      ? undefined
      : randomFault(this.random, session, this.faultPercent, this.messageFaults);
    if (fault !== undefined) return fault;
    const chosen = this.chosen(session);
    if (chosen === undefined || !isInternal(chosen)) return chosen;
    return this.fired('before', chosen, session) ?? this.messageFaults?.insteadOf(chosen, session) ?? chosen;
  }

  private goesByRounds(): boolean {
    this.hasRounds ??= this.plan.items.some(isUntilRound);
    return this.hasRounds;
  }

  private chosen(session: Session): Candidate | undefined {
    const external = this.isHeldBack && !this.goesByRounds() ? undefined : this.nextExternal(session);
    if (external?.kind === 'wait') {
      this.injected = this.after;
      return external;
    }
    const enabled = this.lateWrites?.timely(session) ?? session.enabled;
    const chosen = chooseNext(this.chooser, enabled, external, session.world.length);
    if (external !== undefined && chosen === external) {
      this.injected = this.after;
      this.since = this.deliveries;
    }
    return chosen;
  }

  /** The external of a trigger that fits the last event. */
  private consequence(session: Session): External | undefined {
    const { last, length } = session.world;
    if (last === undefined || length === this.seen) return undefined;
    this.seen = length;
    if (last.kind === 'deliver') this.deliveries += 1;
    return isInternal(last) ? this.fired('after', last, session) : undefined;
  }

  /** The external of the first trigger that fits and whose external can happen. The trigger is spent. */
  private fired(when: 'before' | 'after', event: Internal, session: Session): External | undefined {
    if (this.armed.length === 0) return undefined;
    const trigger = this.armed.find((one) => this.fits(one, when, event) && session.refusal(one.do) === undefined);
    if (trigger !== undefined) this.armed = this.armed.filter((one) => one !== trigger);
    return trigger?.do;
  }

  private fits(trigger: Trigger, when: 'before' | 'after', event: Internal): boolean {
    const asked = trigger[when];
    if (asked === undefined) return false;
    const who = (): string =>
      `trigger ${this.plan.triggers.indexOf(trigger) + 1}, asked about a ${event.kind} of ${event.process},`;
    let answer: unknown;
    nowAsking(who);
    try {
      answer = asked(event);
    } catch (error) {
      throw new SystemThrew(who(), error);
    } finally {
      doneAsking();
    }
    return typeof answer === 'boolean' ? answer : truthOf(who(), answer);
  }

  /**
   * The next external that can happen in this world; a crash of a process that is down is skipped. Only the current
   * world counts, not the past, because a check identifies states by their worlds, and must explore every execution
   * that a hunt can find.
   */
  private nextExternal(session: Session): External | undefined {
    const { items } = this.plan;
    this.isRefused = false;
    for (let at = this.injected; at < items.length; at++) {
      const item = items[at] as Plan['items'][number];
      if (item.kind === 'until') {
        if (this.waitAt < at) {
          this.waitAt = at;
          this.waitBeganMs = session.nowMs;
        }
        const met = this.isMet(item, session);
        if (!met && session.nowMs < this.endOf(item)) return undefined;
        // Where nothing happens by itself, a wait takes no time of its own.
        if (session.guarantees.controlled || isPacing(item)) continue;
        this.after = at + 1;
        return this.ended(item, met, session);
      } else if (session.refusal(item) === undefined) {
        this.after = at + 1;
        return item;
      }
    }
    this.isRefused = true;
    return undefined;
  }

  /** The wait under way lasts so much longer. */
  leaveOut(ms: number): void {
    this.waitBeganMs += ms;
  }

  /** When the next write may end that is late; infinity if there is none. */
  lateWriteMs(session: Session): number {
    return this.lateWrites?.nextMs(session) ?? Infinity;
  }

  /** When the time of the wait is over that holds the plan back; infinity if there is none. */
  get waitEndsMs(): number {
    const item = this.plan.items[this.waitAt];
    return item?.kind === 'until' && this.waitAt >= this.injected ? this.endOf(item) : Infinity;
  }

  private endOf(wait: Wait): number {
    if (wait.awaits === 'round') return this.waitBeganMs + this.roundMs;
    return this.waitBeganMs + (wait.awaits === 'deliveries' ? Infinity : (wait.withinMs ?? Infinity));
  }

  private isMet(wait: Wait, session: Session): boolean {
    switch (wait.awaits) {
      case 'quiet':
        return this.isQuiet(session);
      case 'deliveries':
        return this.deliveries - this.since >= wait.count;
      case 'world':
        return isMet(wait, session.world, () => `until(…) number ${numberOf(wait, this.plan.items)} of the workload`);
      case 'round':
        return false;
    }
  }

  private ended(wait: Condition, met: boolean, { nowMs }: Session): External {
    const withinMs = wait.awaits === 'deliveries' ? undefined : wait.withinMs;
    const condition = conditionText(wait, this.plan.items);
    return endedWait({ condition, withinMs }, nowMs - this.waitBeganMs, met);
  }
}

import type { Session } from '../kernel/ports.ts';
import { SystemThrew } from '../kernel/errors.ts';
import { truthOf } from '../kernel/user-code/answer.ts';
import { doneAsking, nowAsking } from '../kernel/user-code/asking.ts';
import { isArrivalFault, type ArrivalFault } from '../system/arrival-fault.ts';
import type { Trigger } from '../system/workload.ts';
import { hex } from '../trace/digest.ts';
import type { External, Internal } from '../trace/event.ts';

/** The event waits: another one has to happen first. */
export const WAITS = Symbol('waits');

/**
 * The triggers of a plan, each of which is spent by the first event that it fits. A message meets one fault of them at most, so that of two
 * equal triggers the second concerns the second message.
 */
export class Triggers {
  private armed: readonly Trigger[];
  /** The messages that have met a fault. */
  private readonly met = new Set<string>();
  /** When each message may arrive that waits in a session without a clock of its own, by identity. */
  private readonly dueMs = new Map<string, number>();

  constructor(private readonly all: readonly Trigger[]) {
    this.armed = all;
  }

  /** The external of a trigger after this event. */
  after(event: Internal, session: Session): External | undefined {
    return this.fired('after', event, session) as External | undefined;
  }

  /** The external of a trigger before this event, or that the event waits. */
  before(event: Internal, session: Session): External | typeof WAITS | undefined {
    return this.fired('before', event, session);
  }

  /** These events without messages that wait; if there are no others, the message that waits for the shortest time. */
  timely(enabled: readonly Internal[], nowMs: number): readonly Internal[] {
    if (this.dueMs.size === 0) return enabled;
    const due = (event: Internal): number => this.dueMs.get(hex(event)) ?? 0;
    const timely = enabled.filter((event) => due(event) <= nowMs);
    return timely.length > 0 ? timely : enabled.toSorted((one, other) => due(one) - due(other)).slice(0, 1);
  }

  /** The first trigger that fits and can do what it is for. The trigger is spent. */
  private fired(when: 'before' | 'after', event: Internal, session: Session): External | typeof WAITS | undefined {
    for (const trigger of this.armed) {
      const act = trigger.do;
      if (isArrivalFault(act) && (event.kind !== 'deliver' || this.met.has(hex(event)))) continue;
      if (!this.fits(trigger, when, event)) continue;
      const done = isArrivalFault(act) ? this.faultOf(act, event, session) : act;
      if (done !== WAITS && session.refusal(done) !== undefined) continue;
      this.armed = this.armed.filter((one) => one !== trigger);
      if (isArrivalFault(act)) this.met.add(hex(event));
      return done;
    }
    return undefined;
  }

  /** Where every event is controlled, a delay is an order of events, and no external. */
  private faultOf(fault: ArrivalFault, event: Internal, { wait, nowMs }: Session): External | typeof WAITS {
    const target = hex(event);
    if (fault.kind === 'lose') return { kind: 'lose', target };
    if (wait !== undefined) return { kind: 'delay', target, ms: fault.ms };
    this.dueMs.set(target, nowMs + fault.ms);
    return WAITS;
  }

  private fits(trigger: Trigger, when: 'before' | 'after', event: Internal): boolean {
    const asked = trigger[when];
    if (asked === undefined) return false;
    const who = (): string =>
      `trigger ${this.all.indexOf(trigger) + 1}, asked about a ${event.kind} of ${event.process},`;
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
}

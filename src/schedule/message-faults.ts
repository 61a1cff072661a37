import { Random } from '../kernel/data/random.ts';
import type { Session } from '../kernel/ports.ts';
import type { MessageFault, FaultRates } from '../system/fault-rates.ts';
import { hex } from '../trace/digest.ts';
import type { Deliver, External, Internal } from '../trace/event.ts';
import { answeredRate, roundsAt } from './rates.ts';

const faults = ['losses', 'holds'] as const satisfies readonly MessageFault[];

/**
 * Loses messages, or holds them back, at the rates of the system: once for each message, when its turn has come. The identity of the
 * message decides, with the seed, so that a message has the same fate in every execution of a seed that has it.
 */
export class MessageFaults {
  private readonly asked = new Set<string>();
  private readonly spent = { losses: 0, holds: 0 };

  constructor(
    private readonly rates: FaultRates,
    private readonly salt: number,
  ) {}

  /** Whether the rates decide about such faults: then there are no others. */
  decidesAbout({ kind }: External): boolean {
    return (kind === 'lose' && this.rates.losses !== undefined) || (kind === 'hold' && this.rates.holds !== undefined);
  }

  /** The fault that happens instead of this event; undefined if the event happens. */
  insteadOf(event: Internal, session: Session): External | undefined {
    const target = hex(event);
    if (event.kind !== 'deliver' || this.asked.has(target)) return undefined;
    this.asked.add(target);
    const random = Random.seeded(event.hi ^ this.salt, event.lo);
    for (const fault of faults) {
      const drawn = random.float();
      const rate = this.rateOf(fault, event);
      if (drawn >= rate) continue;
      const external = faultOf(fault, target, session, random, rate);
      if (external === undefined || session.refusal(external) !== undefined) continue;
      this.spent[fault] += 1;
      return external;
    }
    return undefined;
  }

  /** 0 if the budget is spent. */
  private rateOf(fault: MessageFault, message: Deliver): number {
    const given = this.rates[fault];
    return given === undefined || this.spent[fault] >= given.most ? 0 : answeredRate(fault, given.rate, message);
  }
}

/**
 * A message waits for one of the other events that can happen now; without any, it does not wait. Where events appear by themselves, it waits
 * for rounds: after each, it waits for one more at the same rate.
 */
function faultOf(
  fault: MessageFault,
  target: string,
  { enabled, wait, roundMs = 0 }: Session,
  random: Random,
  rate: number,
): External | undefined {
  if (fault === 'losses') return { kind: 'lose', target };
  if (wait !== undefined) return { kind: 'delay', target, ms: roundsAt(rate, random) * roundMs };
  const others = enabled.map(hex).filter((id) => id !== target);
  return others.length === 0 ? undefined : { kind: 'hold', target, until: random.pick(others) };
}

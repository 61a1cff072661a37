import { Random } from '../kernel/data/random.ts';
import { SystemThrew } from '../kernel/errors.ts';
import type { Session } from '../kernel/ports.ts';
import { badAnswer } from '../kernel/user-code/answer.ts';
import { doneAsking, nowAsking } from '../kernel/user-code/asking.ts';
import type { MessageFault, FaultRates, MessageRate } from '../system/fault-rates.ts';
import { hex } from '../trace/digest.ts';
import type { Deliver, External, Internal } from '../trace/event.ts';

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
      if (!this.isDrawn(fault, event, random)) continue;
      const external = faultOf(fault, target, session, random);
      if (external === undefined || session.refusal(external) !== undefined) continue;
      this.spent[fault] += 1;
      return external;
    }
    return undefined;
  }

  private isDrawn(fault: MessageFault, message: Deliver, random: Random): boolean {
    const drawn = random.float();
    const given = this.rates[fault];
    return given !== undefined && this.spent[fault] < given.most && drawn < rateOf(fault, given.rate, message);
  }
}

/** A message waits for one of the other events that can happen now; without any, it does not wait. */
function faultOf(fault: MessageFault, target: string, { enabled }: Session, random: Random): External | undefined {
  if (fault === 'losses') return { kind: 'lose', target };
  const others = enabled.map(hex).filter((id) => id !== target);
  return others.length === 0 ? undefined : { kind: 'hold', target, until: random.pick(others) };
}

function rateOf(fault: MessageFault, rate: MessageRate, message: Deliver): number {
  const who = (): string => `faultRates.${fault}, asked about a message to ${message.process},`;
  let answer: unknown;
  nowAsking(who);
  try {
    answer = rate(message);
  } catch (error) {
    throw new SystemThrew(who(), error);
  } finally {
    doneAsking();
  }
  if (typeof answer === 'number' && answer >= 0 && answer <= 1) return answer;
  throw badAnswer(who(), answer, 'Return a number from 0 to 1.');
}

import type { Random } from '../kernel/data/random.ts';
import { SystemThrew } from '../kernel/errors.ts';
import { badAnswer } from '../kernel/user-code/answer.ts';
import { doneAsking, nowAsking } from '../kernel/user-code/asking.ts';
import type { FaultRates } from '../system/fault-rates.ts';
import type { Internal } from '../trace/event.ts';

/** Nothing waits for more rounds, also at a rate of 1. */
const ROUNDS_MAX = 10;

/** For how many rounds something waits: for one, and after each at the same rate for one more. */
export function roundsAt(rate: number, random: Random): number {
  let rounds = 1;
  while (rounds < ROUNDS_MAX && random.float() < rate) rounds += 1;
  return rounds;
}

/** The answer of the system for this event. */
export function answeredRate<E extends Internal>(
  name: keyof FaultRates,
  rate: (event: E) => unknown,
  event: E,
): number {
  const who = (): string =>
    `faultRates.${name}, asked about ${event.kind === 'deliver' ? 'a message to' : 'a write of'} ${event.process},`;
  let answer: unknown;
  nowAsking(who);
  try {
    answer = rate(event);
  } catch (error) {
    throw new SystemThrew(who(), error);
  } finally {
    doneAsking();
  }
  if (typeof answer === 'number' && answer >= 0 && answer <= 1) return answer;
  throw badAnswer(who(), answer, 'Return a number from 0 to 1.');
}

import { ENVIRONMENT, type Deliver, type Internal } from '../../trace/event.ts';
import type { Declaration, PassingRule } from '../declaration.ts';

/** Whether a rule is about an event: a message from one process to another. What the environment sends is an input. */
export const isIncluded = ({ includes }: PassingRule<unknown>, event: Internal): event is Deliver =>
  event.kind === 'deliver' && event.from !== ENVIRONMENT && includes(event.message);

/**
 * Whether the event shows nothing of how busy the system is: by a rule, or because it fires a timer of a program that fires again and
 * again. What the program does then may show it.
 */
export const isBackground = ({ passing = [], processes }: Declaration, event: Internal): boolean =>
  passing.some((rule) => rule.isBackground === true && isIncluded(rule, event)) ||
  (event.kind === 'fire' && event.everyMs > 0 && processes.get(event.process)?.host?.controlled === false);

import { ENVIRONMENT, type Deliver, type Event, type Internal } from '../../trace/event.ts';
import type { Declaration, PassingRule } from '../declaration.ts';

/** Whether a rule is about an event: a message from one process to another. What the environment sends is an input. */
export const isIncluded = ({ includes }: PassingRule<unknown>, event: Internal): event is Deliver =>
  event.kind === 'deliver' && event.from !== ENVIRONMENT && includes(event.message);

/** Whether a rule says that the event shows nothing of how busy the system is. */
export const isBackground = ({ passing = [] }: Declaration, event: Internal): boolean =>
  passing.some((rule) => rule.isBackground === true && isIncluded(rule, event));

/**
 * Whether the event fires a timer of a program again and again: one that repeats, or that was set when it fired before. It shows nothing of
 * how busy the program is; what the program does then may.
 */
export const isPeriodic = ({ processes }: Declaration, event: Internal, cause: Event | undefined): boolean =>
  event.kind === 'fire' &&
  processes.get(event.process)?.host?.controlled === false &&
  (event.everyMs > 0 || (cause?.kind === 'fire' && cause.process === event.process && cause.timer === event.timer));

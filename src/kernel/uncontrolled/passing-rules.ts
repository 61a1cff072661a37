import { ENVIRONMENT, type Deliver, type Internal } from '../../trace/event.ts';
import type { Declaration, PassingRule } from '../declaration.ts';

/** Whether a rule is about an event: a message from one process to another. What the environment sends is an input. */
export const isIncluded = ({ includes }: PassingRule<unknown>, event: Internal): event is Deliver =>
  event.kind === 'deliver' && event.from !== ENVIRONMENT && includes(event.message);

/** Whether the event shows nothing of how busy the system is. */
export const isBackground = ({ passing = [] }: Declaration, event: Internal): boolean =>
  passing.some((rule) => rule.isBackground === true && isIncluded(rule, event));

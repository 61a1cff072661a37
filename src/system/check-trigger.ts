import { isExternal } from '../kernel/user-code/answer.ts';
import { isArrivalFault } from './arrival-fault.ts';
import { BadSystem } from './check-definition.ts';
import type { Trigger } from './workload.ts';

/** Refuses a trigger without an event or without something to do. */
export function checkTrigger({ before, after, do: external }: Trigger, at: number): void {
  const isAsked = (before === undefined ? typeof after : after === undefined ? typeof before : 'both') === 'function';
  if (isAsked && (isExternal(external) || (before !== undefined && isArrivalFault(external)))) return;
  if (isArrivalFault(external))
    throw new BadSystem(
      `trigger ${at + 1} is to ${external.kind} a message that has arrived.`,
      'Give it `before` instead of `after`.',
    );
  throw new BadSystem(
    `trigger ${at + 1} lacks an event or an action.`,
    'Give one function, `before` or `after`, and an external: { after: (event) => …, do: crash(…) }.',
  );
}

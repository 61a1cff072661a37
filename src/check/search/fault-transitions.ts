import { digestText } from '../../trace/digest.ts';
import type { External } from '../../trace/event.ts';
import type { Session } from '../../kernel/ports.ts';
import { keyOf, type Transition, type Place } from './transitions.ts';

/** Whatever the environment may still do by itself, within the budgets that the world knows of. */
export const faultTransitionsAt = ({ session }: Place): Transition[] =>
  session.faults().map((fault) => {
    const name = digestText(`${JSON.stringify(fault)} ${timesBefore(fault, session)}`);
    return { step: fault, name, key: keyOf(name), thread: -1, after: 0, isGuarded: false };
  });

/** The same may happen again: what follows from it has another name then. */
function timesBefore(fault: External, { world, recording }: Session): number {
  if (fault.kind === 'crash' || fault.kind === 'restart') return world.process(fault.process).restarts;
  return recording.events.since(0).filter(({ kind }) => kind === fault.kind).length;
}

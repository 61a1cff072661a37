import type { RefutedRule } from '../report.ts';
import type { Session } from '../../kernel/ports.ts';
import type { Refuted } from './audit.ts';
import type { External, Internal } from '../../trace/event.ts';
import { portableText } from '../../trace/json-encoding.ts';

/** A wrong claim, in words. */
export const refutedRule = ({ rule, one, other, outcomes }: Refuted): RefutedRule => ({
  rule,
  events: [said(one), said(other)],
  difference: difference(outcomes),
});

const said = (step: Internal | External): string => {
  const who = 'process' in step ? step.process : 'the environment';
  const what = step.kind === 'deliver' ? ` ${portableText(step.message, 'a message')} from ${step.from}` : '';
  return `${who}: ${step.kind}${what}`;
};

function difference([one, other]: readonly [Session, Session]): string {
  for (const { name, state } of one.world.up()) {
    const there = other.world.process(name).state;
    const [here, elsewhere] = [textOf(state), textOf(there)];
    if (here !== elsewhere) return `${name} is ${here} after the first order, and ${elsewhere} after the second`;
  }
  return `the pending events differ: ${pendingIn(one)} after the first order, and ${pendingIn(other)} after the second`;
}

const textOf = (value: unknown): string => (value === undefined ? 'down' : portableText(value, 'a state'));

const pendingIn = ({ world }: Session): string => world.pending.map(said).join(', ') || 'nothing';

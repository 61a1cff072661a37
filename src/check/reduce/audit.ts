import type { External, Internal } from '../../trace/event.ts';
import type { Reduction, Session } from '../../kernel/ports.ts';
import { areSame, bothOrders } from './both-orders.ts';
import type { RefutedRule } from '../report.ts';
import { portableText } from '../../trace/json-encoding.ts';

/** Counts claims of independence, and keeps the first wrong claim of each rule. */
export class Audit {
  claims = 0;
  audited = 0;
  readonly refuted: RefutedRule[] = [];

  /** Audits every nth claim; 1 for all of them. */
  constructor(private readonly every: number) {}

  /** The same reduction without the claims that an audit refutes. */
  over(reduction: Reduction): Reduction {
    if (reduction.independent === undefined) return reduction;
    return {
      ...reduction,
      independent: (session, one, other) =>
        reduction.independent?.(session, one, other) === true && !this.isRefuted(reduction.name, session, one, other),
    };
  }

  private isRefuted(rule: string, session: Session, one: Internal | External, other: Internal | External): boolean {
    this.claims += 1;
    if (this.claims % this.every !== 0) return false;
    const outcomes = bothOrders(session, one, other);
    if (outcomes === undefined) return false;
    this.audited += 1;
    if (areSame(outcomes)) return false;
    if (!this.refuted.some((known) => known.rule === rule))
      this.refuted.push({ rule, events: [described(one), described(other)], difference: differenceOf(outcomes) });
    return true;
  }
}

const described = (step: Internal | External): string => {
  const who = 'process' in step ? step.process : 'the environment';
  const what = step.kind === 'deliver' ? ` ${portableText(step.message, 'a message')} from ${step.from}` : '';
  return `${who}: ${step.kind}${what}`;
};

function differenceOf([one, other]: readonly [Session, Session]): string {
  for (const { name, state } of one.world.up()) {
    const there = other.world.process(name).state;
    const [here, elsewhere] = [textOf(state), textOf(there)];
    if (here !== elsewhere) return `${name} is ${here} after the first order, and ${elsewhere} after the second`;
  }
  return `the pending events differ: ${pendingIn(one)} after the first order, and ${pendingIn(other)} after the second`;
}

const textOf = (value: unknown): string => (value === undefined ? 'down' : portableText(value, 'a state'));

const pendingIn = ({ world }: Session): string => world.pending.map(described).join(', ') || 'nothing';

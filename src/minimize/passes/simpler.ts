import { isInternal, type ExternalEvent } from '../../trace/event.ts';
import { outOfOrder } from './name-order.ts';
import { linksOf } from './cut-links.ts';
import { isOwn } from './groups.ts';
import type { Failing } from '../pass.ts';
import { payloadText } from './payload.ts';

type SimplerExecution = Pick<Failing, 'events' | 'rules'>;

/** A measure of an execution; less is simpler, and earlier measures count more. */
type Measure = (execution: SimplerExecution) => number | string;

const measures: readonly Measure[] = [
  ({ events }) => events.length,
  ({ events }) => events.filter((event) => !isInternal(event)).length,
  faultWeight,
  (execution) => contents(execution).length,
  contents,
  ({ events, rules }) => rules.peers.reduce((sum, peers) => sum + outOfOrder(events, peers), 0),
];

/** The only order by which an execution is simpler than another. */
export function isSimpler(one: SimplerExecution, other: SimplerExecution): boolean {
  for (const measure of measures) {
    const [less, more] = [measure(one), measure(other)];
    if (less !== more) return less < more;
  }
  return false;
}

/**
 * A weaker fault affects fewer messages: a cut weighs more than the loss of one message, and more with more links.
 * Crashes and restarts are never exchanged for other faults, so they have no weight.
 */
function faultWeight({ events }: SimplerExecution): number {
  return events.reduce((sum, event, at) => {
    if ('target' in event) return sum + 1;
    return event.kind === 'cut' ? sum + 1 + linksOf(event, at, events).length : sum;
  }, 0);
}

/** The contents of all externals. */
function contents({ events }: SimplerExecution): string {
  const own = events.filter((event): event is ExternalEvent => isOwn(event, events));
  return own.map(payloadText).join('');
}

import { isInternal, type ExternalEvent } from '../../trace/event.ts';
import { outOfOrder } from './name-order.ts';
import { linksOf } from './cut-links.ts';
import { isOwn } from './groups.ts';
import type { Failing } from '../pass.ts';
import { payloadText } from './payload.ts';

type SimplerExecution = Pick<Failing, 'events' | 'rules'>;

/** What there is to an execution: what comes first counts more, and less is simpler. */
type Measure = (execution: SimplerExecution) => number | string;

const measures: readonly Measure[] = [
  ({ events }) => events.length,
  ({ events }) => events.filter((event) => !isInternal(event)).length,
  faultWeight,
  (execution) => contents(execution).length,
  contents,
  ({ events, rules }) => rules.peers.reduce((sum, peers) => sum + outOfOrder(events, peers), 0),
];

/** The one order by which executions are called simpler. */
export function isSimpler(one: SimplerExecution, other: SimplerExecution): boolean {
  for (const measure of measures) {
    const [less, more] = [measure(one), measure(other)];
    if (less !== more) return less < more;
  }
  return false;
}

/**
 * The weaker faults are, the fewer messages they can reach: a cut weighs more than the loss of one message, and the more the
 * more links it is of. What happens to whole processes is never traded for anything else, so it need not be weighed.
 */
function faultWeight({ events }: SimplerExecution): number {
  return events.reduce((sum, event, at) => {
    if (event.kind === 'lose' || event.kind === 'duplicate') return sum + 1;
    return event.kind === 'cut' ? sum + 1 + linksOf(event, at, events).length : sum;
  }, 0);
}

/** All that the environment says. */
function contents({ events }: SimplerExecution): string {
  const own = events.filter((event): event is ExternalEvent => isOwn(event, events));
  return own.map(payloadText).join('');
}

import { isInternal, type ExternalEvent } from '../trace/event.ts';
import { isOwn } from './groups.ts';
import type { Failing } from './pass.ts';
import { payloadText } from './payload.ts';

type Execution = Pick<Failing, 'events'>;

/** What there is to an execution: what comes first counts more, and less is simpler. */
type Measure = (execution: Execution) => number | string;

const measures: readonly Measure[] = [
  ({ events }) => events.length,
  ({ events }) => events.filter((event) => !isInternal(event)).length,
  (execution) => contents(execution).length,
  contents,
];

/** The one order by which executions are called simpler. */
export function isSimpler(one: Execution, other: Execution): boolean {
  for (const measure of measures) {
    const [less, more] = [measure(one), measure(other)];
    if (less !== more) return less < more;
  }
  return false;
}

/** All that the environment says. */
function contents({ events }: Execution): string {
  const own = events.filter((event): event is ExternalEvent => isOwn(event, events));
  return own.map(payloadText).join('');
}

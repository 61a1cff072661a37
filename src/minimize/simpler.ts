import { isInternal, type Event } from '../trace/event.ts';

/** What there is to an execution: what comes first counts more, and less is simpler. */
type Measure = (events: readonly Event[]) => number;

const measures: readonly Measure[] = [
  (events) => events.length,
  (events) => events.filter((event) => !isInternal(event)).length,
];

/** The one order by which executions are called simpler. */
export function isSimpler(one: readonly Event[], other: readonly Event[]): boolean {
  for (const measure of measures) {
    const difference = measure(one) - measure(other);
    if (difference !== 0) return difference < 0;
  }
  return false;
}

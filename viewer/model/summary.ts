import type { Header } from 'culprit/trace';

/** The length of an execution, and of its original, in a few words. */
export function summaryOf({ events, minimized }: Header): string {
  const size = `${events.toLocaleString('en')} event${events === 1 ? '' : 's'}`;
  if (minimized === undefined) return size;
  const { events: from, schedules, certificate = 'not known to be minimal' } = minimized;
  return `${size}, minimized from ${from.toLocaleString('en')} in ${schedules.toLocaleString('en')} schedules, ${certificate}`;
}

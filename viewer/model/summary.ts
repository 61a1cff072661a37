import type { Header } from 'culprit/trace';

/** The length of an execution, and of its original, in a few words. */
export function summaryOf({ events, minimized }: Header): string {
  const size = `${events.toLocaleString('en')} event${events === 1 ? '' : 's'}`;
  if (minimized === undefined) return size;
  const { events: from, schedules, certificate = 'not known to be minimal' } = minimized;
  return `${size}, minimized from ${from.toLocaleString('en')} in ${schedules.toLocaleString('en')} schedules, ${certificate}`;
}

/** Longer messages are shown in full in the panel only. */
const SHORT_MAX = 140;

/** A message up to its first colon or full stop, if it is long. */
export function shortly(message: string): string {
  const [first = message] = /^.*?(?=[:.] )/s.exec(message) ?? [];
  return message.length <= SHORT_MAX ? message : `${first} …`;
}

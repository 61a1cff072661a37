import type { Cursor } from './desk.ts';

/** The fragment of the page's address: the number of an event, with a `b` before it for the right side. */
export const hashOf = ({ side, event }: Cursor): string => `#${side === 1 ? 'b' : ''}${event + 1}`;

export function cursorIn(hash: string): Cursor | undefined {
  const found = /^#(?<side>b?)(?<event>\d{1,9})$/.exec(hash)?.groups;
  if (found === undefined) return undefined;
  return { side: found['side'] === 'b' ? 1 : 0, event: Number(found['event']) - 1 };
}

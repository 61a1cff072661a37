import type { EventLine, Trace } from 'culprit/trace';

/** Each event in a few words: what a reader can compare with what was meant to be left. */
export const brief = ({ events }: Pick<Trace, 'events'>): string[] => events.map(words);

function words(event: EventLine): string {
  switch (event.kind) {
    case 'deliver':
    case 'return':
      return `${event.kind} ${event.process} ${said(event.message)}`;
    case 'fire':
      return `fire ${event.process} ${event.timer}`;
    case 'complete':
      return `complete ${event.process} ${event.operation} ${event.key}`.trim();
    case 'send':
      return `send ${event.to} ${said(event.message)}`;
    case 'act':
      return `act ${event.action}`;
    case 'cut':
    case 'heal':
    case 'lose':
    case 'duplicate':
      return event.kind;
    default:
      return `${event.kind} ${event.process}`;
  }
}

/** A message's type, or all of it where it has none. */
function said(message: unknown): string {
  if (typeof message !== 'object' || message === null) return String(message);
  return 'type' in message ? String(message.type) : JSON.stringify(message);
}

import type { EventLine, Trace } from 'culprit/trace';

/** Each event of a trace in a few words: what is compared in tests. */
export const brief = ({ events }: Trace): string[] => events.map(briefly);

function briefly(event: EventLine): string {
  switch (event.kind) {
    case 'deliver':
      return `${event.process} gets ${JSON.stringify(event.message)} from ${event.from}`;
    case 'fire':
      return `${event.process} ${event.timer}`;
    case 'send':
      return `send ${JSON.stringify(event.message)} to ${event.to}`;
    case 'act':
      return `act ${event.action} ${JSON.stringify(event.payload) ?? ''}`.trim();
    case 'cut':
    case 'heal':
      return `${event.kind} ${event.links.map(([from, to]) => `${from}>${to}`).join(' ')}`.trim();
    case 'lose':
    case 'duplicate':
      return event.kind;
    default:
      return `${event.kind} ${event.process}`;
  }
}

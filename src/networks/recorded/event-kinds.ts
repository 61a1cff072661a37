import { isConsequence } from '../../trace/event.ts';
import { eventOf } from '../../trace/codec.ts';
import { typeOf } from '../../trace/event-subject.ts';
import type { EventLine, Trace } from '../../trace/format.ts';

/** How many events of one kind a recording has. */
export interface EventKindCount {
  /** `input: ping`, `to switches: flow_mod`, `to controllers: packet_in`, `on links: frame`, `timer: expiry`. */
  readonly kind: string;
  readonly events: number;
}

/** The events of a recording by kind, inputs first. */
export function eventKinds({ events, header: { topology } }: Trace): EventKindCount[] {
  const controllers = new Set(topology?.controllers);
  const recorded = events.map(eventOf);
  const counts = new Map<string, number>();
  for (const [at, line] of events.entries()) {
    const event = recorded[at];
    const kind =
      event !== undefined && isConsequence(event, recorded) ? `consequence: ${line.kind}` : kindOf(line, controllers);
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  const all = [...counts].map(([kind, count]) => ({ kind, events: count }));
  return all.toSorted((one, other) => placeOf(one.kind) - placeOf(other.kind) || other.events - one.events);
}

const order = [
  'start',
  'input',
  'consequence',
  'to switches',
  'to controllers',
  'on links',
  'message',
  'write',
  'timer',
];
const placeOf = (kind: string): number => order.indexOf(kind.split(':')[0] as string);

function kindOf(line: EventLine, controllers: ReadonlySet<string>): string {
  switch (line.kind) {
    case 'deliver': {
      const type = typeOf(line);
      if (controllers.has(line.process)) return `to controllers: ${type}`;
      if (controllers.has(line.from)) return `to switches: ${type}`;
      return type === 'frame' ? 'on links: frame' : `message: ${type}`;
    }
    case 'fire':
      return `timer: ${line.timer}`;
    case 'complete':
      return 'write';
    case 'start':
      return 'start';
    case 'act':
      return `input: ${line.action}`;
    case 'send':
      return `input: ${typeOf(line)}`;
    default:
      return `input: ${line.kind}`;
  }
}

import type { EventLine, PendingLine, Trace } from 'culprit/trace';

/** What happened to a message, or to a spawned process. */
type Fate = 'delivered' | 'answered' | 'returned' | 'spawned' | 'lost' | 'pending';

/** A message on its way. Events by index; lanes by name. */
export interface Arrow {
  /** The event that sent it; equal to `to` if unknown. */
  readonly from: number;
  /** The event where it arrived or was lost; the sending event if it never arrived. */
  readonly to: number;
  readonly sender: string | undefined;
  readonly receiver: string;
  readonly fate: Fate;
  /** The number of messages that this arrow represents: see `lost`. */
  readonly count: number;
  /** With `pending`: its index among the pending events. */
  readonly pending?: number;
}

/** Every message of an execution, unordered. */
export const arrowsOf = ({ events, pending }: Trace): Arrow[] => [
  ...events.flatMap((line, at) => [...arrived(line, at, events), ...lost(line, at, events)]),
  ...pending.flatMap((line, at) => undelivered(line, at, events)),
];

function arrived(line: EventLine, at: number, events: readonly EventLine[]): Arrow[] {
  const from = line.cause - 1;
  const base = { from, to: at, receiver: line.process, count: 1 };
  if (from < 0) return [];
  switch (line.kind) {
    case 'deliver':
      return [{ ...base, sender: line.from, fate: line.reply === undefined ? 'delivered' : 'answered' }];
    case 'return':
      return [{ ...base, sender: line.to, fate: 'returned' }];
    case 'spawn':
      return [{ ...base, sender: events[from]?.process, fate: 'spawned' }];
    default:
      return [];
  }
}

/** Messages that one event sent to one process and one event lost are drawn as one arrow. */
function lost(line: EventLine, at: number, events: readonly EventLine[]): Arrow[] {
  const arrows = new Map<string, Arrow>();
  for (const { to: receiver, cause } of line.dropped ?? []) {
    const sent = cause === undefined ? sentWhere(line, at) : cause - 1;
    const key = `${sent} ${receiver}`;
    const count = (arrows.get(key)?.count ?? 0) + 1;
    const [from, sender] = sent === undefined ? [at, undefined] : [sent, events[sent]?.process];
    arrows.set(key, { from, to: at, sender, receiver, fate: 'lost', count });
  }
  return [...arrows.values()];
}

/**
 * A message that is lost when it is sent has the event of its sender; older files have no sender for one that is lost
 * later.
 */
function sentWhere({ kind, cause }: EventLine, at: number): number | undefined {
  switch (kind) {
    case 'lose':
      return cause > 0 ? cause - 1 : undefined;
    case 'crash':
    case 'stop':
    case 'cut':
      return undefined;
    default:
      return at;
  }
}

function undelivered(line: PendingLine, at: number, events: readonly EventLine[]): Arrow[] {
  const from = line.cause - 1;
  if (line.kind !== 'deliver' || events[from] === undefined) return [];
  return [{ from, to: from, sender: line.from, receiver: line.process, fate: 'pending', count: 1, pending: at }];
}

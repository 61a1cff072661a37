import type { EventLine, PendingLine, Trace } from 'culprit/trace';

/** What became of a message, or of a process that another one made. */
type Fate = 'delivered' | 'answered' | 'returned' | 'spawned' | 'lost' | 'pending';

/** A message on its way. Events by index; lanes by name. */
export interface Arrow {
  /** Where it was sent; the same as `to` where nothing says when. */
  readonly from: number;
  /** Where it arrived or was lost; where it was sent, if it never arrived. */
  readonly to: number;
  readonly sender: string | undefined;
  readonly receiver: string;
  readonly fate: Fate;
  /** How many it stands for: what a crash takes with it is drawn once for each receiver. */
  readonly count: number;
}

/** Every message of an execution, in no order. */
export const arrowsOf = ({ events, pending }: Trace): Arrow[] => [
  ...events.flatMap((line, at) => [...arrived(line, at, events), ...lost(line, at, events)]),
  ...pending.flatMap((line) => undelivered(line, events)),
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

/** A message lost as it is sent has its sender's event; what is lost on its way may have none. */
function lost(line: EventLine, at: number, events: readonly EventLine[]): Arrow[] {
  if (line.dropped === undefined) return [];
  const counts = new Map<string, number>();
  for (const { to } of line.dropped) counts.set(to, (counts.get(to) ?? 0) + 1);
  const { from, sender } = sentWhere(line, at, events);
  return [...counts].map(([receiver, count]) => ({ from, to: at, sender, receiver, fate: 'lost', count }));
}

function sentWhere(line: EventLine, at: number, events: readonly EventLine[]): Pick<Arrow, 'from' | 'sender'> {
  switch (line.kind) {
    case 'lose':
      return line.cause > 0
        ? { from: line.cause - 1, sender: events[line.cause - 1]?.process }
        : { from: at, sender: undefined };
    case 'crash':
    case 'stop':
    case 'cut':
      return { from: at, sender: undefined };
    default:
      return { from: at, sender: line.process };
  }
}

function undelivered(line: PendingLine, events: readonly EventLine[]): Arrow[] {
  const from = line.cause - 1;
  if (line.kind !== 'deliver' || events[from] === undefined) return [];
  return [{ from, to: from, sender: line.from, receiver: line.process, fate: 'pending', count: 1 }];
}

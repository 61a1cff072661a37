import { ENVIRONMENT, type Deliver, type Event } from '../../trace/event.ts';

/** What a controller sent to a switch, by connection: the number in the hello of the switch, in the order in which they were opened. */
type Connections = ReadonlyMap<number, readonly unknown[]>;

/** What a controller said: for each of its lives, by switch. */
export type RecordedController = readonly ReadonlyMap<string, Connections>[];

/** A message that a controller sent, when it reached its switch. */
export interface ControlMessage {
  /** Index of the event. */
  readonly at: number;
  readonly event: Deliver;
}

/** The messages of a recording that processes outside of the switches sent to switches. */
export const controlMessages = (events: readonly Event[], isSwitch: (name: string) => boolean): ControlMessage[] =>
  events.flatMap((event, at) =>
    event.kind === 'deliver' &&
    isSwitch(event.process) &&
    event.from !== ENVIRONMENT &&
    !isSwitch(event.from) &&
    // The notice of a crash is not said by the controller: the network gives it again.
    !endsLife(events[event.cause])
      ? [{ at, event }]
      : [],
  );

/** The network gives a notice of it to all that run. */
export const endsLife = (event: Event | undefined): boolean => event?.kind === 'crash' || event?.kind === 'stop';

/**
 * Puts the messages of each controller in order. A hello of a switch has the number of its connection: what the controller sends afterward belongs
 * to it. A restart of the controller begins another life.
 */
export function recordedControllers(
  events: readonly Event[],
  messages: readonly ControlMessage[],
): ReadonlyMap<string, RecordedController> {
  const all = new Map<string, Map<string, Map<number, unknown[]>>[]>();
  for (const { event } of messages) {
    const before = events.slice(0, event.cause + 1);
    const lives = entryOf(all, event.from, () => []);
    const life = before.filter(({ kind, process }) => kind === 'restart' && process === event.from).length;
    while (lives.length <= life) lives.push(new Map());
    const switches = lives[life] as Map<string, Map<number, unknown[]>>;
    const connections = entryOf(switches, event.process, () => new Map<number, unknown[]>());
    entryOf(connections, lastHello(before, event), () => []).push(event.message);
  }
  return all;
}

function entryOf<K, V>(map: Map<K, V>, key: K, made: () => V): V {
  const known = map.get(key) ?? made();
  map.set(key, known);
  return known;
}

/** The number of the last hello that the controller got of the switch in this life; of none if it spoke first. */
function lastHello(before: readonly Event[], { from, process }: Deliver): number {
  const last = before.findLast(
    (event) =>
      event.process === from &&
      (event.kind === 'restart' || (event.kind === 'deliver' && event.from === process && isHello(event.message))),
  );
  return last?.kind === 'deliver' ? numberOf(last.message) : FIRST;
}

/** The number of a connection on which the controller spoke before it had a hello. */
export const FIRST = -1;

const isHello = (message: unknown): message is { readonly xid: number } =>
  typeof message === 'object' && message !== null && 'type' in message && message.type === 'hello';

/** The number in a hello; that of no connection for any other message. */
export const numberOf = (message: unknown): number => (isHello(message) ? message.xid : Number.NaN);

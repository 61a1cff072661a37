import type { EventLine, ProcessPort, DrawnStation } from 'culprit/trace';

/** A station arrives at a place, or leaves the last one. */
interface Move {
  readonly event: number;
  readonly place: ProcessPort | undefined;
}

/** Where each station is after any event: `attach` and `detach` messages to nodes move it. */
export class StationPlaces {
  private readonly moves = new Map<string, Move[]>();

  constructor(stations: readonly DrawnStation[], events: readonly EventLine[]) {
    for (const { name, process, port } of stations)
      this.moves.set(name, [{ event: -1, place: { process, ...(port === undefined ? {} : { port }) } }]);
    for (const [event, line] of events.entries()) {
      const move = moveIn(line);
      if (move !== undefined) this.moves.get(move.station)?.push({ event, place: move.place });
    }
  }

  /** Undefined while it is nowhere. */
  at(name: string, event: number): ProcessPort | undefined {
    return this.moves.get(name)?.findLast((move) => move.event <= event)?.place;
  }
}

/** The station that an event moves, and its place afterward; undefined if the event moves none. */
export function moveIn(
  line: EventLine,
): { readonly station: string; readonly place: ProcessPort | undefined } | undefined {
  if (line.kind !== 'deliver') return undefined;
  const { type, station: given, port } = fieldsOf(line.message);
  const station = typeof given === 'string' ? given : fieldsOf(given)['name'];
  if ((type !== 'attach' && type !== 'detach') || typeof station !== 'string') return undefined;
  const place = { process: line.process, ...(typeof port === 'number' ? { port } : {}) };
  return { station, place: type === 'attach' ? place : undefined };
}

/** The fields of an object; none of anything else. */
const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};

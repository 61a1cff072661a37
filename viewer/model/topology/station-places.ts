import type { EventLine, LinkEnd, Station } from 'culprit/trace';

/** A station arrives at a place, or leaves the last one. */
interface Move {
  readonly event: number;
  readonly place: LinkEnd | undefined;
}

/** Where each station is after any event: `attach` and `detach` messages to nodes move it. */
export class StationPlaces {
  private readonly moves = new Map<string, Move[]>();

  constructor(stations: readonly Station[], events: readonly EventLine[]) {
    for (const { name, process, port } of stations)
      this.moves.set(name, [{ event: -1, place: { process, ...(port === undefined ? {} : { port }) } }]);
    for (const [event, line] of events.entries()) if (line.kind === 'deliver') this.take(event, line);
  }

  /** Undefined while it is nowhere. */
  at(name: string, event: number): LinkEnd | undefined {
    return this.moves.get(name)?.findLast((move) => move.event <= event)?.place;
  }

  private take(event: number, { process, message }: EventLine & { kind: 'deliver' }): void {
    const { type, station, port } = fieldsOf(message);
    if (type !== 'attach' && type !== 'detach') return;
    const name = typeof station === 'string' ? station : fieldsOf(station)['name'];
    const moves = typeof name === 'string' ? this.moves.get(name) : undefined;
    const place = { process, ...(typeof port === 'number' ? { port } : {}) };
    moves?.push({ event, place: type === 'attach' ? place : undefined });
  }
}

/** The fields of an object; none of anything else. */
export const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};

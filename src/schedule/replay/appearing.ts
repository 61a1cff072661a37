import { isInternal, type Event, type Internal } from '../../trace/event.ts';

/**
 * Which events of a recording appear when a part of it is executed. An event appears if what caused it happens, and it happens if it
 * appears and the part has it.
 */
export class Appearing {
  /** The events that appear and that the part leaves out. */
  readonly leftOut: readonly Internal[];
  private readonly appearing: ReadonlySet<Event>;

  constructor(recording: readonly Event[], part: readonly Event[]) {
    const kept = new Set(part);
    const appearing = new Set<Event>();
    for (const event of recording) {
      const causedBy = recording[event.cause];
      if (causedBy === undefined || (appearing.has(causedBy) && kept.has(causedBy))) appearing.add(event);
    }
    this.appearing = appearing;
    this.leftOut = [...appearing].filter((event): event is Internal => isInternal(event) && !kept.has(event));
  }

  has(event: Event): boolean {
    return this.appearing.has(event);
  }
}

import type { EventLine, PendingLine } from './format.ts';
import { moreThan, traceLimits } from './limits.ts';

/** A field of a line that does not go with the other lines. */
export interface Misfit {
  readonly field: string;
  readonly what: string;
}

/**
 * What no line says by itself: events are numbered from 1 in the order of the file, a cause comes before its effect, and there are
 * not too many processes. Algorithms rest on it: going from an event to its cause must come to an end.
 */
export class Consistency {
  private readonly processes = new Set<string>();

  /** Of the next event, which should have this number. */
  event(line: EventLine, number: number): Misfit | undefined {
    if (line.event !== number) return { field: 'event', what: `is ${line.event}, where event ${number} comes next` };
    const at = line.dropped?.findIndex(({ cause = 0 }) => cause >= number) ?? -1;
    if (at >= 0)
      return {
        field: `dropped.${at}.cause`,
        what: `is ${line.dropped?.[at]?.cause}, which is not earlier than event ${number}`,
      };
    return causeOf(line, number) ?? this.process(line);
  }

  /** Of something that was pending after so many events. */
  pending(line: PendingLine, events: number): Misfit | undefined {
    return causeOf(line, events + 1) ?? this.process(line);
  }

  private process({ process }: { readonly process: string }): Misfit | undefined {
    this.processes.add(process);
    return this.processes.size > traceLimits.processes
      ? { field: 'process', what: `is one too many: the file has ${moreThan('processes')}` }
      : undefined;
  }
}

const causeOf = ({ cause }: { readonly cause: number }, number: number): Misfit | undefined =>
  cause < number ? undefined : { field: 'cause', what: `is ${cause}, which is not earlier than event ${number}` };

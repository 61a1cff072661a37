import type { Trace } from './format.ts';
import type { Why } from './why.ts';

/** All that the page shows, as plain JSON. */
export interface Exhibit {
  readonly title: string;
  /** One, or two side by side; none as long as a command has found nothing. */
  readonly executions: readonly Shown[];
  /** Of the first. */
  readonly why?: Why;
  /** Of a command that is under way: the page asks for more. */
  readonly live?: Live;
  /** Of what is live: which one it is. */
  readonly version?: number;
}

/** How a command is getting on. */
export interface Live {
  readonly doing: string;
  readonly isOver: boolean;
}

export interface Shown {
  readonly file: string;
  readonly trace: Trace;
  /** By event. */
  readonly told: readonly Told[];
}

/** The words for an event: made where stories are told, so that page, terminal and exports say the same. */
export interface Told {
  readonly what: string;
  readonly changes: readonly string[];
  /** Events of one step belong together to a reader. */
  readonly step?: number;
  /** Where the code is that handled it, as `lock.ts:31` from the folder of the system's package, where that is known. */
  readonly at?: string;
}

import type { Trace } from './format.ts';
import type { Why } from './why.ts';

/** All that the page shows, as plain JSON. */
export interface Exhibit {
  readonly title: string;
  /** One, or two side by side. */
  readonly executions: readonly Shown[];
  /** Of the first. */
  readonly why?: Why;
  /** The page asks the server for more. */
  readonly live?: boolean;
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
}

import type { Trace } from './format.ts';
import type { Why } from './why.ts';

/** The data of the page, as plain JSON. */
export interface Exhibit {
  readonly title: string;
  /** One execution, or two side by side; none while a command has found nothing. */
  readonly executions: readonly ShownExecution[];
  /** For the first execution. */
  readonly why?: Why;
  /** For a running command: the page polls for updates. */
  readonly live?: Live;
  /** The version of a live page. */
  readonly version?: number;
}

/** The progress of a command. */
export interface Live {
  readonly status: string;
  readonly isOver: boolean;
}

/** An execution, as the page shows it. */
export interface ShownExecution {
  readonly file: string;
  readonly trace: Trace;
  /** By event. */
  readonly sentences: readonly EventSentence[];
}

/** The description of an event, made once by `explain`, so that page, terminal and exports agree. */
export interface EventSentence {
  readonly what: string;
  readonly changes: readonly string[];
  /** The number of its step in the story; events of one step belong together. */
  readonly step?: number;
  /** The code that handled it, as `lock.ts:31` from the folder of the system's package, if known. */
  readonly at?: string;
}

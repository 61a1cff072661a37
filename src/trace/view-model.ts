import type { Trace } from './format.ts';
import type { Why } from './why.ts';

/** The data of the page, as plain JSON. */
export interface Exhibit {
  readonly title: string;
  /** One execution, or two side by side; none while a command has found nothing. */
  readonly executions: readonly ShownExecution[];
  /** The explanation of the first execution. */
  readonly why?: Why;
  /** The state of a running command: the page asks for newer versions. */
  readonly live?: Live;
  /** The version, if the page is live. */
  readonly version?: number;
}

/** The progress of a command. */
export interface Live {
  readonly status: string;
  readonly isOver: boolean;
}

export interface ShownExecution {
  readonly file: string;
  readonly trace: Trace;
  /** By event. */
  readonly sentences: readonly EventSentence[];
}

/** The sentence of an event, made by the same code as the story, so that page, terminal and exports agree. */
export interface EventSentence {
  readonly what: string;
  readonly changes: readonly string[];
  /** The step that the event belongs to. */
  readonly step?: number;
  /** The place of the code that handled it, as `lock.ts:31`, relative to the folder of the system's package; missing if unknown. */
  readonly at?: string;
}

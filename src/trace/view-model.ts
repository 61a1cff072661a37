import type { Trace } from './format.ts';
import type { Why } from './why.ts';

/** The data of the page, as plain JSON. */
export interface Exhibit {
  /** The title of the window. */
  readonly title: string;
  /** One execution, or two side by side; none while a command has found nothing. */
  readonly executions: readonly ShownExecution[];
  /** For the first execution. */
  readonly why?: Why;
  /** What a reader should know of it besides the race, the most important first. */
  readonly reasons?: readonly Reason[];
  /** Whether the server of the page executes branches: see `Branch`. */
  readonly canBranch?: boolean;
  /** For a running command: the page polls for updates. */
  readonly live?: Live;
  /** The version of a live page. */
  readonly version?: number;
}

/** A change, or several with the same result. Events are numbered from 1. */
export interface Reason {
  /** The result in a word or two, such as `needed`; `or` for a further change that prevents the violation. */
  readonly label: string;
  /** The events that are changed: a click goes to the first. */
  readonly events: readonly number[];
  /** What would have happened instead, as a sentence. */
  readonly what: string;
}

/** The progress of a command. */
export interface Live {
  /** The line of progress, as in the terminal. */
  readonly status: string;
  /** Whether the command has ended: the page stops polling. */
  readonly isOver: boolean;
}

/** An execution, as the page shows it. */
export interface ShownExecution {
  /** The name of its file, for commands to copy. */
  readonly file: string;
  /** The whole trace: the page computes causality and states from it. */
  readonly trace: Trace;
  /** By event. */
  readonly sentences: readonly EventSentence[];
  /** By pending event: what would have happened. */
  readonly undelivered: readonly string[];
}

/** The description of an event, made once by `explain`, so that page, terminal and exports agree. */
export interface EventSentence {
  /** The event as a sentence without its process: `takes acquire of client-1`. */
  readonly what: string;
  /** What it changed in the state of its process, one phrase for each field. */
  readonly changes: readonly string[];
  /** The number of its step in the story; events of one step belong together. */
  readonly step?: number;
  /** The code that handled it, as `lock.ts:31` from the folder of the system's package, if known. */
  readonly at?: string;
}

/** An execution that leaves the shown one after an event, and continues as the reader chooses. */
export interface Branch {
  /** All its events so far. */
  readonly execution: ShownExecution;
  /** The events that can happen next. */
  readonly choices: readonly BranchChoice[];
  /** Whether it has ended with its verdict. */
  readonly isOver: boolean;
  /** What a command printed, such as the name of a saved file. */
  readonly lines: readonly string[];
}

/** An event that can happen next, worded as it will be when it has happened. */
export interface BranchChoice {
  /** The process, or `environment`. */
  readonly who: string;
  /** The sentence of the event, without its process. */
  readonly what: string;
  /** Where it comes from, if no process causes it, and its number in the recording. */
  readonly note: string;
}

/** The server's answer if a command of a branch is wrong. */
export interface BranchProblem {
  /** The cause and the next step. */
  readonly problem: string;
}

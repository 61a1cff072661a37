import type { Deliver, Event } from '../trace/event.ts';
import { AppendOnly } from './data/append-only.ts';

/** A line that a handler logged during an event. */
export interface LogLine {
  readonly kind: 'log';
  /** Index of the event. */
  readonly event: number;
  /** The process that logged it. */
  readonly process: string;
  /** The line without colors, stack frames and measured times, cut after 4,096 characters. */
  readonly text: string;
}

/** A message that will never be delivered, and the reason. */
export interface Dropped {
  readonly kind: 'dropped';
  /** Index of the event during which it was dropped. */
  readonly event: number;
  /** The delivery that will not happen. */
  readonly message: Deliver;
  /** `absent`: the receiver was not up. `crash`: one end crashed. `cut`: the link was cut. `lost`: a fault of the environment. */
  readonly why: 'absent' | 'crash' | 'cut' | 'lost';
}

/** A message from a process to the environment. */
export interface Output {
  readonly kind: 'output';
  /** Index of the event during which it was sent. */
  readonly event: number;
  /** The sender. */
  readonly process: string;
  /** A copy of the data, as it was when it was sent. */
  readonly message: unknown;
}

/** A client calls an operation, it returns, or it is known to have had no effect. */
export type Said =
  | { readonly kind: 'call'; readonly key: string | undefined; readonly input: unknown }
  | { readonly kind: 'return'; readonly output: unknown }
  | { readonly kind: 'fail' };

/** The same with its place in the execution. */
export type HistoryNote = Said & {
  /** Index of the event. */
  readonly event: number;
  readonly process: string;
  /** The number of the call, by its process's count. */
  readonly call: number;
};

/** Something that was seen of a process between two events: it is no event, so that places in a schedule stay as they are. */
export interface Observed {
  readonly kind: 'observed';
  /** Index of the event after which it was seen. */
  readonly event: number;
  readonly process: string;
  readonly what: string;
  readonly content: unknown;
  /** When, on the clock of the session. */
  readonly atMs: number;
}

/** What is observed of a process that sends over a cut link something that is no message of the kernel: the cut has an effect. */
export const CUT_OFF = 'cut off';

/** What is written beside events: logs, prints, operations, drops and observations. */
export type Note = LogLine | Dropped | Output | HistoryNote | Observed;

/** The events of an execution in order, and notes about them. */
export class Recording {
  private constructor(
    /** In the order in which they happened; indexes count from 0. */
    readonly events: AppendOnly<Event>,
    /** In the order in which they were written, each with the index of its event. */
    readonly notes: AppendOnly<Note>,
  ) {}

  static empty(): Recording {
    return new Recording(AppendOnly.empty(), AppendOnly.empty());
  }

  /** A recording that continues by itself; both share what there is so far. */
  fork(): Recording {
    return new Recording(this.events.fork(), this.notes.fork());
  }

  /** Notes a line of a process at the event under way. */
  log(process: string, text: string): void {
    this.notes.push({ kind: 'log', event: this.events.length - 1, process, text });
  }

  /** Notes that a message is lost for good at the event under way. */
  drop(message: Deliver, why: Dropped['why']): void {
    this.notes.push({ kind: 'dropped', event: this.events.length - 1, message, why });
  }

  /** Notes what a client calls or gets, by the number of its call. */
  note(process: string, call: number, said: Said): void {
    this.notes.push({ ...said, event: this.events.length - 1, process, call });
  }

  /** Notes what was seen of a process after the last event, at that time of the session's clock. */
  observe(process: string, what: string, content: unknown, atMs: number): void {
    this.notes.push({ kind: 'observed', event: this.events.length - 1, process, what, content, atMs });
  }

  /** Between two events, the output belongs to the last event of its process. */
  output(process: string, message: unknown, event = this.events.length - 1): void {
    this.notes.push({ kind: 'output', event, process, message });
  }
}

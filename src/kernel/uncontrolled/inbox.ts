/** How a process ended by itself. */
export interface Exit {
  /** The exit status; missing if a signal ended the process. */
  readonly code?: number;
  /** The name of the signal that ended it, such as `SIGKILL`. */
  readonly signal?: string;
  /** What it said last. */
  readonly lastLines?: readonly string[];
}

/** Something that a process did by itself. */
export type Deed =
  | { readonly kind: 'send'; readonly to: string; readonly message: unknown; readonly lane: string | undefined }
  | { readonly kind: 'observe'; readonly what: string; readonly content: unknown }
  /** Sets a timer, or moves it; one with `everyMs` above 0 fires again and again. */
  | { readonly kind: 'setTimer'; readonly timer: string; readonly afterMs: number; readonly everyMs: number }
  | { readonly kind: 'cancelTimer'; readonly timer: string }
  | { readonly kind: 'exit'; readonly how: Exit }
  | { readonly kind: 'fail'; readonly error: unknown };

export interface Arrival {
  readonly process: string;
  /** The life of the process in which it did so. */
  readonly life: number;
  /** When, on the clock of the session. */
  readonly atMs: number;
  readonly deed: Deed;
}

/**
 * What processes did by themselves and the world does not know yet. The session takes it in between two events, so that the list
 * of enabled events never changes while a strategy looks at it.
 */
export class Inbox {
  private arrivals: Arrival[] = [];
  private wake: (() => void) | undefined;

  push(arrival: Arrival): void {
    this.arrivals.push(arrival);
    this.wake?.();
  }

  get isEmpty(): boolean {
    return this.arrivals.length === 0;
  }

  takeAll(): readonly Arrival[] {
    const all = this.arrivals;
    this.arrivals = [];
    return all;
  }

  /** Calls back at the next arrival. */
  onArrival(wake: (() => void) | undefined): void {
    this.wake = wake;
    if (!this.isEmpty) wake?.();
  }
}

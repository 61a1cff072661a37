import { endNow, EXIT_CODES, type StopSignal } from './output/exit-code.ts';
import { runningCodeIfKnown } from './output/report-error.ts';
import { noteSignal, sayStopped, spendSignal, takeOverSignals } from './output/sentinel.ts';

/** A signal came while a command waited for work. The process must end with this exit code. */
export class Stopped extends Error {
  override readonly name = 'Stopped';

  constructor(readonly exitCode: number) {
    super('the command was interrupted');
  }
}

/**
 * Listens for Ctrl-C (SIGINT) and SIGTERM. The first signal asks the command to stop: it reports its progress and saves
 * its results. The second one ends the process immediately.
 */
export class Interruption {
  /** That of the command under way. The process listens once for all of them: where commands share one, as in tests, the last hears signals. */
  private static current: Interruption | undefined;
  private readonly controller = new AbortController();
  private by: StopSignal | undefined;
  private isListening = false;
  private instead: (() => boolean) | undefined;

  static listening(): Interruption {
    const interruption = new Interruption();
    interruption.listen();
    return interruption;
  }

  /** Call this once the system is loaded: before that there is nothing to save, and the sentinel ends the command. */
  listen(): void {
    if (this.isListening) return;
    this.isListening = true;
    takeOverSignals();
    if (Interruption.current === undefined)
      for (const name of Object.keys(EXIT_CODES) as StopSignal[])
        process.on(name, () => Interruption.current?.hear(name));
    Interruption.current = this;
  }

  /** For work that checks the signal and ends by itself. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  get isStopped(): boolean {
    return this.by !== undefined;
  }

  /** The exit code of a command that was stopped before it had an answer. */
  get exitCode(): number {
    return EXIT_CODES[this.by ?? 'SIGINT'];
  }

  /** Waits for work until the signal comes, then throws `Stopped`; the work continues in the background. */
  unlessStopped<T>(work: Promise<T>): Promise<T> {
    // If both are settled, the work wins.
    return Promise.race([work, this.stopped()]);
  }

  /** Rejects with `Stopped` when the signal comes. */
  stopped(): Promise<never> {
    const { signal } = this;
    const stopped = new Promise<never>((_, reject) => {
      const stop = (): void => reject(new Stopped(this.exitCode));
      if (signal.aborted) stop();
      else signal.addEventListener('abort', stop, { once: true });
    });
    // Prevents an unhandled rejection if the work ends first.
    stopped.catch(() => undefined);
    return stopped;
  }

  /** While the work is under way, Ctrl-C calls this function, and asks the command to stop only if that returns false. */
  async asking<T>(instead: () => boolean, work: () => Promise<T>): Promise<T> {
    this.instead = instead;
    try {
      return await work();
    } finally {
      this.instead = undefined;
    }
  }

  /** Asks the command to stop, as the first Ctrl-C does. */
  stop(name: StopSignal = 'SIGINT'): void {
    this.by ??= name;
    this.controller.abort();
  }

  /** The name does not come with the signal: code of a system may emit the event without one. */
  private hear(name: StopSignal): void {
    noteSignal();
    if (this.by === undefined) {
      if (name === 'SIGINT' && this.instead?.() === true) spendSignal();
      else this.stop(name);
      return;
    }
    // A handler that emits the signal is running now; a user's second Ctrl-C comes between two events.
    const who = runningCodeIfKnown();
    if (who !== undefined) sayStopped(name, who);
    endNow(EXIT_CODES[name]);
  }
}

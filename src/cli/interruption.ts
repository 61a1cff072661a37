import { endNow, EXIT_CODES, type StopSignal } from './output/exit-code.ts';
import { heardSignal, listensItself } from './output/sentinel.ts';

/** Work is not waited for any more, because the command was asked to stop: the process has to be ended, with this code. */
export class Stopped extends Error {
  override readonly name = 'Stopped';

  constructor(readonly exitCode: number) {
    super('the command was interrupted');
  }
}

/**
 * Listens for Ctrl-C (SIGINT) and SIGTERM. The first one asks the command to stop: it says how far it came, and keeps what it
 * has. The second one ends the process at once.
 */
export class Interruption {
  private readonly controller = new AbortController();
  private by: StopSignal | undefined;
  private isListening = false;

  static listening(): Interruption {
    const interruption = new Interruption();
    interruption.listen();
    return interruption;
  }

  /** To be called once the system is loaded: until then there is nothing to save, and the sentinel ends the command. */
  listen(): void {
    if (this.isListening) return;
    this.isListening = true;
    listensItself();
    for (const name of Object.keys(EXIT_CODES) as StopSignal[]) process.on(name, this.hear);
  }

  /** For work that looks at it and comes to an end by itself. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  get isStopped(): boolean {
    return this.by !== undefined;
  }

  /** What a command exits with that was stopped before it had an answer. */
  get exitCode(): number {
    return EXIT_CODES[this.by ?? 'SIGINT'];
  }

  /** Waits for work no longer than until the signal: throws `Stopped` then, and the work goes on with nobody waiting. */
  unlessStopped<T>(work: Promise<T>): Promise<T> {
    // Where both are settled, the work is done.
    return Promise.race([work, this.stopped()]);
  }

  /** Throws `Stopped` at the signal. */
  stopped(): Promise<never> {
    const { signal } = this;
    const stopped = new Promise<never>((_, reject) => {
      const stop = (): void => reject(new Stopped(this.exitCode));
      if (signal.aborted) stop();
      else signal.addEventListener('abort', stop, { once: true });
    });
    // Work that comes to its end before is no reason for a complaint after it.
    stopped.catch(() => undefined);
    return stopped;
  }

  private readonly hear = (name: StopSignal): void => {
    heardSignal();
    if (this.by === undefined) {
      this.by = name;
      this.controller.abort();
      return;
    }
    endNow(EXIT_CODES[name]);
  };
}

/** A call of a handler: it runs until it has returned and its promise has settled. */
export interface Handler {
  running: boolean;
}

/**
 * The result of an operation, for a handler to await. Most are never awaited, so the promise is made by the first `then`, which
 * also reports to the kernel that code waits: a fork could not copy that code.
 */
export class Operation<T = unknown> implements PromiseLike<T> {
  awaited = false;
  private promise: Promise<T> | undefined;
  private outcome: ((resolve: (value: T) => void, reject: (error: unknown) => void) => void) | undefined;
  private wake: (() => void) | undefined;

  constructor(
    readonly requester: Handler,
    private readonly onAwaited: () => void,
  ) {}

  /** Whether a handler awaits it, or may still come to: the one that asked for it has not returned. */
  get isForHandler(): boolean {
    return this.awaited || this.requester.running;
  }

  // oxlint-disable-next-line unicorn/no-thenable -- awaiting it is the point
  then<A = T, B = never>(
    onValue?: ((value: T) => A | PromiseLike<A>) | null,
    onError?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    if (!this.awaited) {
      this.awaited = true;
      if (this.outcome === undefined) this.onAwaited();
    }
    this.promise ??= this.settlement();
    return this.promise.then(onValue, onError);
  }

  succeed(value: T): void {
    this.outcome = (resolve) => resolve(value);
    this.wake?.();
  }

  fail(error: unknown): void {
    this.outcome = (_resolve, reject) => reject(error);
    this.wake?.();
  }

  private settlement(): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.wake = () => this.outcome?.(resolve, reject);
      this.wake();
    });
  }
}

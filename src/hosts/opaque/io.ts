import type { AskOptions, Context, Environment, SendOptions } from '../../kernel/behavior.ts';

/**
 * The outside world, as an object of a user's class gets it: instead of the globals that do the same. Every function may be
 * taken off and passed on by itself. `N` are the names of the processes that it knows: any, unless they are given.
 */
export interface Io<N extends string = string> {
  /** The name of this process. */
  readonly self: N;
  /** The names of the other declared processes, in declaration order. */
  readonly peers: readonly N[];
  /** Sends a message; its delivery is an event. `{ lane }`: see `ctx.send`. */
  readonly send: (to: N | Environment, message: unknown, options?: SendOptions) => void;
  /** Sends a message and resolves to the answer that its receiver gives with `reply`. Rejects after `timeoutMs`, if given. */
  readonly ask: (to: N, message: unknown, options?: number | AskOptions) => Promise<unknown>;
  /**
   * Like the globals of these names. The timer is called after its callback in stories and traces, so give the callback a
   * name: `setTimeout(retry, 100)`, or a method bound to its object.
   */
  readonly setTimeout: (callback: TimerCallback, ms?: number, ...args: readonly unknown[]) => Timer;
  /** Like the global of this name: fires again and again, until it is cleared. */
  readonly setInterval: (callback: TimerCallback, ms?: number, ...args: readonly unknown[]) => Timer;
  /** Clears a timer that `setTimeout` or `setInterval` set. */
  readonly clearTimeout: (timer: unknown) => void;
  /** The same as `clearTimeout`. */
  readonly clearInterval: (timer: unknown) => void;
  /** Resolves after that time. */
  readonly sleep: (ms: number) => Promise<void>;
  /** Milliseconds, as `Date.now` gives them; an execution begins at 0. */
  readonly now: () => number;
  /** A number from 0 up to 1, as `Math.random` gives it. */
  readonly random: () => number;
  /** Values by key that survive a crash. Every write is an event, and a crash may come before it. */
  readonly storage: Storage;
  /** A line for the trace. */
  readonly log: (text: string) => void;
}

export type TimerCallback = (...args: never[]) => unknown;

/** What `setTimeout` returns. It has the functions that timers of Node have, which do nothing here. */
export interface Timer {
  readonly name: string;
  ref(): Timer;
  unref(): Timer;
}

interface Storage {
  /** Resolves when the value is durable: a crash before that loses it. */
  readonly write: (key: string, value: unknown) => Promise<void>;
  /** Resolves to the durable value; to undefined if there is none. */
  readonly read: (key: string) => Promise<unknown>;
  /** Reads at once what is durable now. */
  readonly peek: (key: string) => unknown;
}

interface Callback {
  readonly timer: Timer;
  readonly call: () => unknown;
  readonly isRepeated: boolean;
}

/** The timers of one life of a process: callbacks by the name of their timer. */
export class Timers {
  private readonly callbacks = new Map<string, Callback>();

  constructor(private readonly ctx: Pick<Context<unknown>, 'setTimer' | 'repeatTimer' | 'cancelTimer'>) {}

  set(callback: TimerCallback, ms: number, args: readonly unknown[], isRepeated: boolean): Timer {
    const timer = timerCalled(this.freeName(callback));
    const call = (): unknown => callback(...(args as never[]));
    this.callbacks.set(timer.name, { timer, call, isRepeated });
    if (isRepeated) this.ctx.repeatTimer(timer.name, ms);
    else this.ctx.setTimer(timer.name, ms);
    return timer;
  }

  /** A timer that has fired may be cleared, as with the global, and so may anything that is no timer. */
  clear(given: unknown): void {
    for (const [name, { timer }] of this.callbacks) {
      if (timer !== given) continue;
      this.callbacks.delete(name);
      this.ctx.cancelTimer(name);
    }
  }

  fire(name: string): unknown {
    const callback = this.callbacks.get(name);
    if (callback?.isRepeated === false) this.callbacks.delete(name);
    return callback?.call();
  }

  /**
   * The name of the callback, with the smallest number that tells it apart from timers that are set: the same code gets the
   * same names, also if other events happened before.
   */
  private freeName({ name }: TimerCallback): string {
    const plain = name.replace(/^bound /, '').replace(/^#/, '') || 'timeout';
    let free = plain;
    for (let number = 2; this.callbacks.has(free); number++) free = `${plain} ${number}`;
    return free;
  }
}

const timerCalled = (name: string): Timer => {
  const timer: Timer = { name, ref: () => timer, unref: () => timer };
  return timer;
};

/** The outside world of one life of a process. After the life it does nothing: code of a crashed process has no effect. */
export function ioOf<N extends string>(
  ctx: Context<unknown, string, unknown, N>,
  timers: Timers,
  isOver: () => boolean,
): Io<N> {
  const alive =
    <A extends readonly unknown[], R>(act: (...args: A) => R, otherwise: () => R) =>
    (...args: A): R =>
      isOver() ? otherwise() : act(...args);
  const set =
    (isRepeated: boolean) =>
    (callback: TimerCallback, ms?: number, ...args: readonly unknown[]) =>
      timers.set(callback, delayOf(ms, isRepeated ? 1 : 0), args, isRepeated);
  const clear = alive((timer: unknown) => timers.clear(timer), nothing);
  return {
    self: ctx.self,
    peers: ctx.peers,
    send: alive(
      (to: N | Environment, message: unknown, options?: SendOptions) => ctx.send(to, message, options),
      nothing,
    ),
    ask: alive(
      (to: N, message: unknown, options?: number | AskOptions) => promiseOf(ctx.ask(to, message, options)),
      never,
    ),
    setTimeout: alive(set(false), ended),
    setInterval: alive(set(true), ended),
    clearTimeout: clear,
    clearInterval: clear,
    sleep: alive((ms: number) => promiseOf(ctx.sleep(ms)), never),
    now: alive(() => ctx.nowMs, zero),
    random: alive(() => ctx.random.float(), zero),
    storage: {
      write: alive((key: string, value: unknown) => promiseOf(ctx.disk.write(key, value)), never),
      read: alive((key: string) => promiseOf(ctx.disk.read(key)), never),
      peek: alive((key: string) => ctx.disk.peek(key), nothing),
    },
    log: alive((text: string) => ctx.log(text), nothing),
  };
}

/** Like the global timers: no delay, a negative one, and one that is no number, are the least. */
const delayOf = (ms: number | undefined, least: number): number => (ms !== undefined && ms > least ? ms : least);

const nothing = (): undefined => undefined;
const zero = (): number => 0;
const ended = (): Timer => timerCalled('ended');
const never = (): Promise<never> => new Promise<never>(() => undefined);

/** An operation as a promise: code that is not ours may use `catch` and `finally`. */
const promiseOf = async <T>(operation: PromiseLike<T>): Promise<T> => await operation;

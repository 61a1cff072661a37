import type { ENVIRONMENT } from '../trace/event.ts';
import type { Random } from './data/random.ts';
import type { Host } from './host.ts';

/**
 * How a process reacts. The state is plain data that the kernel owns; handlers change it in place. A handler may be
 * async: each awaited operation of the context completes as an event of its own.
 *
 * `S` is the type of the state, `M` of the messages that the process takes, `T` of the names of its timers. `Sent` is the type of the
 * messages that it sends: the same as `M`, unless it is given. `N` are the names of the processes that it knows: any, unless they are given.
 */
export interface Behavior<S extends object, M, T extends string = string, Sent = M, N extends string = string> {
  /** Runs when the process starts, and again after a crash: only `ctx.disk` survives. */
  start(ctx: Context<M, T, Sent, N>): S | Promise<S>;
  /** Handles a message. `ctx.from` is its sender, `ctx.reply` answers it. */
  receive(state: S, message: M, ctx: Context<M, T, Sent, N>): void | Promise<void>;
  /** Handles a timer that fires: `timer` is its name. */
  timer?(state: S, timer: T, ctx: Context<M, T, Sent, N>): void | Promise<void>;
  /** A disk write that no handler awaits is durable. */
  wrote?(state: S, key: string, ctx: Context<M, T, Sent, N>): void | Promise<void>;
  /** A message came back because its receiver is not there (`toAbsent: 'return'`). */
  returned?(state: S, message: Sent, to: N, ctx: Context<M, T, Sent, N>): void | Promise<void>;
  /**
   * While a handler awaits, no message and no timer is handled. By default others may be, as in JavaScript. A write that
   * no handler awaits may still become durable, and `wrote` is called for it.
   */
  readonly blocking?: boolean;
}

/**
 * A behavior whose state is an object that the kernel cannot copy: it has private fields, callbacks or promises. The kernel
 * executes again from the start where it would copy the state of another process, and tells two such states apart by what
 * happened to their process.
 */
export interface OpaqueBehavior<
  S extends object,
  V extends object,
  M,
  T extends string = string,
  N extends string = string,
> extends Behavior<S, M, T, M, N> {
  /** What oracles, stories and traces see of the state: plain data. Called after every event of the process. */
  view(state: S): V;
  /** The process is paused, or resumed: code that runs by itself must stop, and continue. */
  setPaused?(state: S, isPaused: boolean): void | Promise<void>;
  /** The life of the process ends. */
  close?(state: S, ending: LifeEnding): void | Promise<void>;
  /** Makes a checkpoint of the state, where the code runs outside culprit and can be copied; undefined if that is not possible now. */
  checkpoint?(state: S): Promise<StateCheckpoint<S> | undefined>;
  /** Who runs the code, where that is not the kernel. */
  readonly host?: Host;
  /** The functions of the user that handle events, where the handlers only pass events on to them. */
  readonly code?: { readonly [K in 'start' | 'receive']?: (...args: never) => unknown };
}

/** A state that the kernel cannot copy, as it was at one moment. */
export interface StateCheckpoint<S> {
  /** Whether the process has done nothing by itself since. */
  isFresh(): boolean;
  /** The state as it was then, for the process with this context; undefined if that cannot be any more. The state that the process had is over. */
  proceed(ctx: Context<unknown>): Promise<S | undefined>;
  close(): void;
}

/** How the life of a process ends: it crashes, it is stopped on purpose, or the execution is over. */
export type LifeEnding = 'crashed' | 'stopped' | 'over';

/** How a message is sent. */
export interface SendOptions {
  /**
   * The lane of the link, by any name: each lane keeps the order of its own messages only, as separate connections do. The default
   * lane has no name.
   */
  readonly lane?: string | undefined;
}

/** How a question is asked. */
export interface AskOptions extends SendOptions {
  /** How long the answer is awaited; without it, forever. */
  readonly timeoutMs?: number | undefined;
}

/** The environment as a sender and as a receiver: messages to it are output, which the trace keeps. */
export type Environment = typeof ENVIRONMENT;

/**
 * Everything a handler may do besides changing its state. The process takes messages `M`, sets timers `T`, sends messages `Sent`, and knows
 * processes by the names `N`.
 */
export interface Context<M, T extends string = string, Sent = M, N extends string = string> {
  /** This process's name. */
  readonly self: N;
  /** The other declared processes' names, in declaration order. */
  readonly peers: readonly N[];
  /** The sender of the message being handled: a process, or `environment` for one of the workload; this process itself if the event is no message. */
  readonly from: N | Environment;
  /** The lane of the message being handled; undefined for the default lane. */
  readonly lane: string | undefined;
  /** Logical time: events this process has handled since the execution began, this one included. */
  readonly step: number;
  /** Virtual time in milliseconds. It passes only when timers fire and when messages bring news of it. */
  readonly nowMs: number;
  /** How often this process has been restarted. */
  readonly restarts: number;
  /** Seeded: the same draws in every execution of the seed. */
  readonly random: Pick<Random, 'below' | 'float' | 'pick'>;
  /** What survives a crash of this process. */
  readonly disk: Disk;
  /** For processes that are clients: their calls to the system, and its answers. */
  readonly history: ClientNotes;

  /** Sends a message; its delivery is an event of its own, and may never happen. The message is copied. */
  send(to: N | Environment, message: Sent, options?: SendOptions): void;
  /** Sends and awaits the answer that the receiver gives with `reply`. Rejects after `timeoutMs`, if given. */
  ask(to: N, message: Sent, options?: number | AskOptions): PromiseLike<M>;
  /** Answers the message being handled, on its lane. */
  reply(message: Sent): void;
  /** Sets the timer, or moves it if it is set already. It fires once. */
  setTimer(timer: T, afterMs: number): void;
  /** Fires again and again, until canceled. */
  repeatTimer(timer: T, everyMs: number): void;
  /** Cancels the timer, if it is set. */
  cancelTimer(timer: T): void;
  /** Resolves when this time has passed, in an event of its own. */
  sleep(ms: number): PromiseLike<void>;
  /** Starts a process of a declared kind, as an event of its own, and returns its name. */
  spawn(kind: string, args?: unknown): N;
  /** Adds a line to the trace, as the console output of a handler does. */
  log(text: string): void;
}

/** Values by key that survive a crash. Every write is an event, and a crash may happen between two writes. */
export interface Disk {
  /** Durable when the write's event happens, not before. Writes and reads of one key happen in the order they were asked for. */
  write(key: string, value: unknown): PromiseLike<void>;
  /** Reads the durable value, in an event of its own; undefined if there is none. */
  read(key: string): PromiseLike<unknown>;
  /** Reads the durable value at once, as part of this event: for `start`, and for handlers that are not async. */
  peek(key: string): unknown;
}

/** Notes for judging linearizability: the calls of a client, and their results. They change nothing else. */
export interface ClientNotes {
  /** An operation is called; `key` names the object if there are several. Returns the number of the call. */
  call(input: unknown, key?: string): number;
  /** The call returned this output; leave it out if the operation has none. */
  return(call: number, output?: unknown): void;
  /** The call certainly has no effect, now or later. If that is unknown, do not call this. */
  fail(call: number): void;
}

/** The state a behavior keeps, as oracles see it. */
export type StateOf<B> = B extends { view(state: never): infer V extends object }
  ? V
  : B extends Behavior<infer S, infer _M, infer _T, infer _Sent, infer _N>
    ? S
    : never;

/** The messages a behavior takes. */
export type MessageOf<B> = B extends { receive(state: never, message: infer M, ctx: never): unknown } ? M : never;

/** The timers a behavior sets, by name. */
export type TimerOf<B> = B extends { timer?(state: never, timer: infer T extends string, ctx: never): unknown }
  ? T
  : never;

/** The processes that a behavior knows, by name: any, if its types do not say which. */
export type NamesOf<B> = B extends {
  receive(state: never, message: never, ctx: { readonly self: infer N extends string }): unknown;
}
  ? N
  : string;

/** A behavior whose types no longer matter: the kernel passes states and messages through. */
export type AnyBehavior = Behavior<object, unknown> & Partial<OpaqueBehavior<object, object, unknown>>;

/** The name of the world outside the processes. No process may have it. */
export const ENVIRONMENT = 'environment';

/** The fields of every event. */
export interface Occurrence {
  /** Whose step it is: a process, or the environment. */
  readonly process: string;
  /** Index of the event that sent, set or requested this one; -1 if no event of the execution did. */
  readonly cause: number;
  /** Causal identity, two 32-bit lanes: equal in executions that differ only in the order of independent events. */
  readonly hi: number;
  /** The second lane of the identity. */
  readonly lo: number;
  /** Where events appear by themselves: when it happened, on the clock of the session. */
  readonly atMs?: number;
}

/** An event that a process made: its cause and this index name it, independent of other events of that process. */
interface Made extends Occurrence {
  /** The number of things that its cause made before it. Not stored in files. */
  readonly nth?: number;
}

/** A message arrives. */
export interface Deliver extends Made {
  readonly kind: 'deliver';
  /** The sender: a process, or `environment`. */
  readonly from: string;
  /** The content; the receiver gets a copy of it. */
  readonly message: unknown;
  /** Number of the ask that this message carries, by its sender's count; 0 for a plain message. */
  readonly ask: number;
  /** Number of the ask that this message answers, by its receiver's count; 0 for no answer. */
  readonly reply: number;
  /** Virtual time of the sending, in milliseconds. */
  readonly sentMs: number;
  /** The lane of the link; undefined for the default lane. */
  readonly lane?: string;
}

/** A message returns to its sender: the receiver does not exist. */
export interface Return extends Made {
  readonly kind: 'return';
  /** The process that is not there. */
  readonly to: string;
  /** The content, as it was sent. */
  readonly message: unknown;
  /** Number of the ask that the message carried, by its sender's count; 0 for a plain message. */
  readonly ask: number;
}

/** A timer fires. */
export interface Fire extends Made {
  readonly kind: 'fire';
  /** The name under which the process set it. */
  readonly timer: string;
  /** When it is due, in virtual time of its process. */
  readonly deadlineMs: number;
  /** Milliseconds to the next firing; 0 for a timer that fires once. */
  readonly everyMs: number;
}

/** What a process waits for that is no message. */
export type OperationKind = 'read' | 'write' | 'sleep' | 'timeout';

/**
 * The completion of an operation that a process requested: a write is durable, a read has its value, a sleep or the
 * timeout of an ask is over.
 */
export interface Complete extends Made {
  readonly kind: 'complete';
  /** Which of them it is; it says what `key` and `value` mean. */
  readonly operation: OperationKind;
  /** The key on disk; of a timeout, the process that was asked; empty for a sleep. */
  readonly key: string;
  /** What is written; undefined for the others: a read takes the value that is durable when it happens. */
  readonly value: unknown;
  /** When it is due, in virtual time of its process; reads and writes are due at once. */
  readonly deadlineMs: number;
  /** Number of the request, by the process's count. */
  readonly request: number;
}

/**
 * The first event of a process that another process spawned. A process that the environment begins has a `start`
 * instead.
 */
export interface Spawn extends Made {
  readonly kind: 'spawn';
  /** The declared kind of the process. */
  readonly of: string;
  /** What `ctx.spawn` passed to the function of the kind. */
  readonly args: unknown;
}

/** An event that a process made. */
export type Internal = Deliver | Return | Fire | Complete | Spawn;

/** A direction over which messages travel, with all its lanes, or one lane of it. */
export type Link = readonly [from: string, to: string, lane?: string];

/** An external, as users write it: an event without its place in an execution. */
export type External<M = unknown> =
  | { readonly kind: 'start'; readonly process: string; readonly of?: string; readonly args?: unknown }
  | { readonly kind: 'stop' | 'crash'; readonly process: string }
  /** A paused process does nothing until it is resumed: it keeps its state, and what is meant for it waits. */
  | { readonly kind: 'pause' | 'resume'; readonly process: string }
  /** Wiped: what survived the crash is lost as well. */
  | { readonly kind: 'restart'; readonly process: string; readonly wiped?: true }
  | { readonly kind: 'send'; readonly to: string; readonly message: M }
  /** No links: all of them. */
  | { readonly kind: 'cut' | 'heal'; readonly links: readonly Link[] }
  | { readonly kind: 'lose' | 'duplicate'; readonly target: string }
  /** The message is not delivered before that event, as long as the event can happen. */
  | { readonly kind: 'hold'; readonly target: string; readonly until: string }
  /** The message is not delivered for so long, where the session has a clock. */
  | { readonly kind: 'delay'; readonly target: string; readonly ms: number }
  | { readonly kind: 'act'; readonly action: string; readonly payload?: unknown }
  | EndedWait;

/**
 * A wait of the workload that is over, where events appear by themselves: only there does a wait take time of its own. Users write
 * `until(…)` and the like instead. How it ended is no part of its identity: a replay makes the same event, and may wait longer.
 */
export interface EndedWait {
  readonly kind: 'wait';
  /** What was awaited, as the end of a sentence: `a replica is promoted`. */
  readonly condition: string;
  /** How long it may take; undefined if only the execution bounds it. */
  readonly withinMs?: number;
  readonly tookMs: number;
  /** Whether the condition came true; otherwise the time was over. */
  readonly met: boolean;
}

/** An event of the environment, in its place in an execution. */
export type ExternalEvent = External & Occurrence;

/** An event of an execution. */
export type Event = Internal | ExternalEvent;

/** The external of an event, as users write it. */
export function externalOf(event: External | ExternalEvent): External {
  if (!('hi' in event)) return event;
  const { cause: _cause, hi: _hi, lo: _lo, atMs: _atMs, process, ...rest } = event;
  return (process === ENVIRONMENT ? rest : { ...rest, process }) as External;
}

/** The kind of an event: `deliver`, `fire`, `crash` and so on. */
export type EventKind = Event['kind'];

/** Whether a process made the event: then replays match it by identity, and do not inject it. */
export function isInternal(event: Event): event is Internal;
export function isInternal(event: Internal | External): event is Internal;
export function isInternal({ kind }: { readonly kind: EventKind }): boolean {
  return kind === 'deliver' || kind === 'fire' || kind === 'complete' || kind === 'return' || kind === 'spawn';
}

/**
 * Whether one of these events is an action that caused it. (A fault that concerns a message has a cause too: the
 * sending.)
 */
export const isConsequence = (event: Event, events: readonly Event[]): boolean =>
  !isInternal(event) && events[event.cause]?.kind === 'act';

/** The name under which the world outside the processes acts. No process may be called so. */
export const ENVIRONMENT = 'environment';

/** What every event knows, whatever happened. */
export interface Occurrence {
  /** Whose step it is: a process, or the environment. */
  readonly process: string;
  /** Index of the event that sent, set or requested this one; -1 where nothing in the execution did. */
  readonly cause: number;
  /** Causal identity, two 32-bit lanes: equal in executions that differ only in the order of independent events. */
  readonly hi: number;
  readonly lo: number;
}

/** What a process made: it can be named by what made it, whatever else had happened to that process by then. */
interface Made extends Occurrence {
  /** How many things its cause had made before it. Files do not say it. */
  readonly nth?: number;
}

export interface Deliver extends Made {
  readonly kind: 'deliver';
  readonly from: string;
  readonly message: unknown;
  /** Number of the ask this message carries, by its sender's count; 0 for a plain message. */
  readonly ask: number;
  /** Number of the ask this message answers, by its receiver's count; 0 for no answer. */
  readonly reply: number;
  /** Virtual time of the sending, in milliseconds. */
  readonly sentMs: number;
}

/** A message comes back: the process it was for is not there. */
export interface Return extends Made {
  readonly kind: 'return';
  readonly to: string;
  readonly message: unknown;
  readonly ask: number;
}

export interface Fire extends Made {
  readonly kind: 'fire';
  readonly timer: string;
  readonly deadlineMs: number;
  /** Milliseconds to the next firing; 0 for a timer that fires once. */
  readonly everyMs: number;
}

export type OperationKind = 'read' | 'write' | 'sleep' | 'timeout';

/** An operation that a process requested is done: a write is durable, a read has its value, a sleep or an ask's time is over. */
export interface Complete extends Made {
  readonly kind: 'complete';
  readonly operation: OperationKind;
  readonly key: string;
  readonly value: unknown;
  readonly deadlineMs: number;
  /** Number of the request, by the process's count. */
  readonly request: number;
}

/** A process that another one spawned begins. One that the environment begins is a `start`. */
export interface Spawn extends Made {
  readonly kind: 'spawn';
  /** The declared kind it is made from. */
  readonly of: string;
  readonly args: unknown;
}

export type Internal = Deliver | Return | Fire | Complete | Spawn;

/** A direction over which messages travel: from, to. */
export type Link = readonly [from: string, to: string];

/** What the environment may do, as one writes it down: an event without its place in an execution. */
export type External<M = unknown> =
  | { readonly kind: 'start'; readonly process: string; readonly of?: string; readonly args?: unknown }
  | { readonly kind: 'stop' | 'crash' | 'restart'; readonly process: string }
  | { readonly kind: 'send'; readonly to: string; readonly message: M }
  /** No links: all of them. */
  | { readonly kind: 'cut' | 'heal'; readonly links: readonly Link[] }
  | { readonly kind: 'lose' | 'duplicate'; readonly target: string }
  | { readonly kind: 'act'; readonly action: string; readonly payload?: unknown };

export type ExternalEvent = External & Occurrence;

export type Event = Internal | ExternalEvent;

/** The external alone, as it was before it happened. */
export function externalOf(event: External | ExternalEvent): External {
  if (!('hi' in event)) return event;
  const { cause: _cause, hi: _hi, lo: _lo, process, ...rest } = event;
  const happensToProcess =
    rest.kind === 'start' || rest.kind === 'stop' || rest.kind === 'crash' || rest.kind === 'restart';
  return (happensToProcess ? { ...rest, process } : rest) as External;
}

export type EventKind = Event['kind'];

/** Whether a process brought it about: then it is matched by identity, not injected. */
export function isInternal(event: Event): event is Internal;
export function isInternal(event: Internal | External): event is Internal;
export function isInternal({ kind }: { readonly kind: EventKind }): boolean {
  return kind === 'deliver' || kind === 'fire' || kind === 'complete' || kind === 'return' || kind === 'spawn';
}

/** Whether an action among these events brought it about. (What is done to a message has a cause as well: the sending.) */
export const isConsequence = (event: Event, events: readonly Event[]): boolean =>
  !isInternal(event) && events[event.cause]?.kind === 'act';

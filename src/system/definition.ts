import type { Event, External } from '../trace/event.ts';
import type { AnyBehavior, MessageOf, StateOf, TimerOf } from '../kernel/behavior.ts';
import type { Faults, Pace, Timing, Transport } from '../kernel/declaration.ts';
import type { Phrases } from './phrases.ts';
import type { ReductionRules } from './reduction-rules.ts';
import type { Weights } from '../kernel/options/weights.ts';
import type { Trigger, WorkloadItem } from './workload.ts';
import type { World } from '../kernel/world.ts';
import type { Invariant, Sampled } from './invariant.ts';
import type { Oracle } from '../kernel/ports.ts';

/** What a parameter may be. */
export type Parameter = string | number | boolean;

export type Parameters = Readonly<Record<string, Parameter>>;

/** What a system is made of. Only `processes` has no default. */
export interface Definition<P extends Readonly<Record<string, AnyBehavior>>> {
  /** Told to people; the file's name where it is missing. */
  readonly name?: string;
  readonly processes: P;
  /** Kinds of process that may join or be spawned during an execution. */
  readonly kinds?: Readonly<Record<string, (args: never) => AnyBehavior>>;
  /** What is left out takes its default, also in `onCrash`. */
  readonly transport?: Transport['order'] | GivenTransport;
  readonly timers?: Timing;
  /** How fast the environment acts, where events appear by themselves. */
  readonly pace?: Partial<Pace>;
  readonly faults?: Partial<Faults>;
  /** How likely a hunt chooses an event of each kind, unless it is told otherwise; 1 where nothing is said, 0.25 for timers. */
  readonly weights?: Weights;
  /** What the environment does, in order, after the declared processes have started. */
  readonly workload?: readonly WorkloadItem<MessageOf<P[keyof P]>>[];
  /** What it does at certain events, each once. */
  readonly triggers?: readonly Trigger<MessageOf<P[keyof P]>>[];
  readonly actions?: Readonly<Record<string, (world: World<P>, payload: never) => readonly External[]>>;
  /** What must be true of some world sooner or later: otherwise a hunt has not tested what it was meant to. */
  readonly sometimes?: Readonly<Record<string, (world: World<P>) => boolean>>;
  /** What must be true of every world. */
  readonly invariants?: Readonly<Record<string, Invariant<World<P>> | Sampled<World<P>>>>;
  /** Whatever else an execution is judged by: `linearizable(…)`, `progress(…)`, or your own. */
  readonly oracles?: Readonly<Record<string, Oracle>>;
  /** What helps to make failing executions small. */
  readonly minimize?: MinimizeHints<MessageOf<P[keyof P]>>;
  /** What helps a check to try fewer orders. */
  readonly reduce?: ReductionRules<StateOf<P[keyof P]>, MessageOf<P[keyof P]>>;
  /** How people are told what happens, in the system's own words. */
  readonly phrases?: Phrases<StateOf<P[keyof P]>, MessageOf<P[keyof P]>, TimerOf<P[keyof P]>>;
}

/** A transport with parts left out. */
type GivenTransport = Partial<Omit<Transport, 'onCrash'>> & { readonly onCrash?: Partial<Transport['onCrash']> };

/** What the minimizer cannot know by itself. All of it has a default. */
export interface MinimizeHints<M = never> {
  /** Fields of messages that do not count when one message stands in for another, such as the number of a request. */
  readonly mask?: readonly string[];
  /** What a message amounts to, where the fields do not say it. */
  readonly fingerprint?: (message: M) => unknown;
  /** Names what is kept or dropped together with others of the same name; undefined for an external that is on its own. */
  readonly atom?: (external: External<M>) => string | undefined;
  /** Events that may never be dropped. */
  readonly keep?: (event: Event) => boolean;
  /** Externals that say something simpler, the simplest first; they are tried instead, where they differ in nothing else. */
  readonly shrink?: (external: External<M>) => Iterable<External<M>>;
  /** The logical clock that a message carries, such as its term or epoch; undefined for a message that carries none. */
  readonly clock?: (message: M) => number | undefined;
}

export type AnyDefinition = Definition<Readonly<Record<string, AnyBehavior>>>;

/** A system as a module exports it: parameters with defaults, and a definition for their values. */
export interface System {
  readonly culprit: 'system';
  readonly parameters: Parameters;
  readonly define: (values: Parameters) => AnyDefinition;
  /** Where it was defined, as far as that could be seen. */
  readonly file: string | undefined;
  /** Which of the systems defined there it is, counting from 1. */
  readonly nth: number;
}

import type { Event, External } from '../trace/event.ts';
import type { AnyBehavior, MessageOf, StateOf, TimerOf } from '../kernel/behavior.ts';
import type {
  DeclaredLink,
  Faults,
  LinkPair,
  Pace,
  PassingRule,
  Timing,
  Transport,
  WaitingSettings,
} from '../kernel/declaration.ts';
import type { GivenFaultRates } from './fault-rates.ts';
import type { Concerns, KnowDeclared, OfDeclared } from './named-processes.ts';
import type { Phrases } from './phrases.ts';
import type { StepCommand } from './step-commands.ts';
import type { ReductionRules } from './reduction-rules.ts';
import type { Weights } from '../kernel/options/weights.ts';
import type { Trigger, WorkloadItem } from './workload.ts';
import type { World } from '../kernel/world.ts';
import type { ProcessTopology } from '../trace/topology.ts';
import type { Invariant, Sampled } from './invariant.ts';
import type { Oracle } from '../kernel/ports.ts';

/** The value of a parameter. */
export type Parameter = string | number | boolean;

/** Values of parameters, by name. */
export type Parameters = Readonly<Record<string, Parameter>>;

/** Values for some of the parameters of a system; for any names, where the compiler does not know them. */
export type Settings<D extends Parameters> = string extends keyof D ? D : { readonly [K in keyof D]?: D[K] };

/** A link as users declare it: two processes, or these and rules of its own. */
export type GivenLink = LinkPair | DeclaredLink;

/** Behaviors by the name of their kind; `args` come from the external or the process that starts one. */
export type Kinds = Readonly<Record<string, (args: never) => AnyBehavior>>;

/** The definition of a system. Only `processes` has no default. `P` are its processes and `K` its kinds, by name. */
export interface Definition<P extends Readonly<Record<string, AnyBehavior>>, K extends Kinds = Record<never, never>> {
  /** Name for readers; defaults to the name of the file. */
  readonly name?: string;
  /** The processes, by name: the behavior of each. All of them start before anything else happens. */
  readonly processes: P & KnowDeclared<P, K>;
  /** Kinds of process that may join or be spawned during an execution. */
  readonly kinds?: K;
  /** Omitted fields take their defaults, in `onCrash` too. */
  readonly transport?: Transport['order'] | GivenTransport;
  /** When timers fire: by their deadlines, up to a skew, or `'any'` for at any moment. */
  readonly timers?: Timing;
  /** How fast the environment acts, where events appear by themselves. */
  readonly pace?: Partial<Pace>;
  /** How replays wait, where events appear by themselves. */
  readonly waiting?: Partial<WaitingSettings>;
  /** Messages that replays do not compare with the recording, where events appear by themselves: keepalives, for example. */
  readonly passing?: readonly PassingRule<MessageOf<P[keyof P]>>[];
  /** How many faults of each kind the environment may add to an execution; none by default. */
  readonly faults?: Partial<Faults>;
  /**
   * How likely each message is lost, or held back, when its turn comes; the budgets of `faults` bound it. And how likely the end of a write
   * waits for a round, where events appear by themselves.
   */
  readonly faultRates?: GivenFaultRates;
  /**
   * The links that partitions may cut, such as [['n1', 'n2'], ['n2', 'n3']]; by default every pair of processes. A link, or a lane
   * of it, may have rules of its own: { between: ['n1', 'n2'], lane: 'bulk', order: 'unordered', onCut: 'drop', losses: false }.
   */
  readonly links?: readonly GivenLink[];
  /** The graph in which processes sit, for readers: traces store it, and the page draws it. */
  readonly topology?: ProcessTopology;
  /**
   * Relative weight of each event kind in a hunt, unless the hunt sets its own; 0.25 for timers and 1 for other kinds
   * by default.
   */
  readonly weights?: Weights;
  /** The events of the environment, in order, after the declared processes have started. */
  readonly workload?: readonly (WorkloadItem<MessageOf<P[keyof P]>> & Concerns<OfDeclared<P, K>>)[];
  /** Externals that happen at certain events, once each. */
  readonly triggers?: readonly (Trigger<MessageOf<P[keyof P]>> & { readonly do: Concerns<OfDeclared<P, K>> })[];
  /** Externals of the system's own: what they consist of in a world; null if they cannot happen in it. */
  readonly actions?: Readonly<
    Record<string, (world: World<P>, payload: never) => readonly (External & Concerns<OfDeclared<P, K>>)[] | null>
  >;
  /**
   * Predicates that must become true in some execution of a hunt: otherwise the hunt has not tested what it was meant
   * to.
   */
  readonly sometimes?: Readonly<Record<string, (world: World<P>) => boolean>>;
  /** Predicates that must be true after every event, and oracles. */
  readonly invariants?: Readonly<Record<string, Invariant<World<P>> | Sampled<World<P>> | Oracle>>;
  /** Further oracles: `linearizable(…)`, `progress(…)`, or your own. */
  readonly oracles?: Readonly<Record<string, Oracle>>;
  /** Hints for minimization. */
  readonly minimize?: MinimizeHints<MessageOf<P[keyof P]>>;
  /** Rules that let a check explore fewer orders. */
  readonly reduce?: ReductionRules<StateOf<P[keyof P]>, MessageOf<P[keyof P]>>;
  /** The system's own wording, for readers. */
  readonly phrases?: Phrases<StateOf<P[keyof P]>, MessageOf<P[keyof P]>, TimerOf<P[keyof P]>>;
  /** Commands that `culprit step` has for this system, by name. */
  readonly commands?: Readonly<Record<string, StepCommand>>;
}

/** A transport with parts left out. */
type GivenTransport = Partial<Omit<Transport, 'onCrash'>> & { readonly onCrash?: Partial<Transport['onCrash']> };

/** Facts about the system that the minimizer cannot derive. Each has a default. */
export interface MinimizeHints<M = never> {
  /** Message fields to ignore when one message replaces another, such as a request number. */
  readonly mask?: readonly string[];
  /** The meaning of a message, if masking fields is not enough. `words` say to people what counts of it, for the doctor. */
  readonly fingerprint?: ((message: M) => unknown) & { readonly words?: string };
  /** The name of a group of externals that are kept or dropped together; undefined for an external on its own. */
  readonly atom?: (external: External<M>) => string | undefined;
  /** The name of the thing that an external makes fail, as a crash does a process: it is a fault, and never dropped without the next recovery. */
  readonly fails?: (external: External<M>) => string | undefined;
  /** The name of the thing that an external lets recover. */
  readonly recovers?: (external: External<M>) => string | undefined;
  /** Events that may never be dropped. */
  readonly keep?: (event: Event) => boolean;
  /** Simpler variants of an external, the simplest first. They are tried in its place. */
  readonly shrink?: (external: External<M>) => Iterable<External<M>>;
  /** The logical clock in a message, such as its term or epoch; undefined for a message without one. */
  readonly clock?: (message: M) => number | undefined;
}

export type AnyDefinition = Definition<Readonly<Record<string, AnyBehavior>>, Kinds>;

/** A system as a module exports it: parameters with defaults, and a definition for their values. `D` are the types of the parameters. */
export interface System<out D extends Parameters = Parameters> {
  /** Marks a system among the exports of a module. */
  readonly culprit: 'system';
  /** The parameters with their defaults. */
  readonly parameters: D;
  /** Makes the definition for these values. */
  readonly define: (values: Parameters) => AnyDefinition;
  /** The file that defined it, if the stack shows it. */
  readonly file: string | undefined;
  /** Its number among the systems of that file, counting from 1. */
  readonly nth: number;
}

import type { External } from '../trace/event.ts';
import type { AnyBehavior } from './behavior.ts';
import type { Host } from './host.ts';
import type { World } from './world.ts';

/** The declared rules of the network between processes. Every rule has a default. */
export interface Transport {
  /** Per pair of processes and lane: in the order of sending, or in any order. */
  readonly order: 'fifo' | 'unordered';
  /**
   * A message for a process that is stopped, crashed or has not joined: lost, kept until it is there, or sent back.
   * A declared process that has not started yet is not absent, nor is a spawned one that has not begun: a message
   * to it waits under every policy. Otherwise the order of the starts would decide which messages arrive.
   */
  readonly toAbsent: 'drop' | 'keep' | 'return';
  /**
   * Messages in flight to and from a process at the moment it crashes. `notice`: what every process that runs gets from
   * it as its last message when it crashes or stops, as with a connection that closes; nothing where it is left out.
   */
  readonly onCrash: { readonly to: 'drop' | 'keep'; readonly from: 'drop' | 'keep'; readonly notice?: unknown };
  /** Messages on a link that is cut: they wait until it heals, or are lost. */
  readonly onCut: 'hold' | 'drop';
}

/** The transport of a system that declares none. */
export const defaultTransport: Transport = {
  order: 'fifo',
  toAbsent: 'drop',
  onCrash: { to: 'drop', from: 'keep' },
  onCut: 'hold',
};

/**
 * When timers fire: `any` moment, as in an asynchronous system; or in virtual time, in the order of their deadlines,
 * where a timer may overtake one that is due at most `skewMs` earlier.
 */
export type Timing = 'any' | { readonly skewMs: number };

/** The pace of a system in which events appear by themselves. */
export interface Pace {
  /** The environment does one thing a round, unless the system is quiet before the round is over. */
  readonly roundMs: number;
  /** The system is quiet when nothing has happened for so long. */
  readonly quietMs: number;
  /** An execution ends after so long. */
  readonly executionMs: number;
}

export const defaultPace: Pace = { roundMs: 100, quietMs: 500, executionMs: 60_000 };

/** How a replay waits where events appear by themselves. */
export interface WaitingSettings {
  /** In the first replay, an event is awaited for its recorded gap, and this much longer. */
  readonly firstEpsilonMs: number;
  /** The same in later replays, until it is known how late events come. */
  readonly epsilonMs: number;
  /** How often a replay may start over because an external came too late. */
  readonly restarts: number;
  /** Events that the schedule does not have: they happen at once, or stay pending. */
  readonly unexpected: 'pass' | 'hold';
  /**
   * `replay`: before a part of a recording is replayed, each of its prefixes is, to see which of the recorded events still
   * appear; the others are not awaited.
   */
  readonly peek: 'none' | 'replay';
  /** Such a prefix is watched for the recorded gap to the next external, and this much longer. */
  readonly peekMs: number;
}

export const defaultWaiting: WaitingSettings = {
  firstEpsilonMs: 500,
  epsilonMs: 100,
  restarts: 2,
  unexpected: 'pass',
  peek: 'none',
  peekMs: 50,
};

/**
 * Messages between processes that a replay does not compare with the recording: each keeps its recorded place if it is there in time, is
 * delivered as soon as it can be otherwise, and is neither awaited nor reported as new or absent.
 */
export interface PassingRule<M = never> {
  /** For reports: `keepalives`. */
  readonly name: string;
  /** Whether the rule is about this message. */
  readonly includes: (message: M) => boolean;
  /**
   * When they pass in a replay. `untouched`: if no fault of the recording held or dropped one of them; if the violation does not happen
   * then, the other setting is tried. `untouchedNearby`: each of them, unless the recording did so to an equal one within ten rounds.
   */
  readonly when: 'always' | 'never' | 'untouched' | 'untouchedNearby';
  /** Whether a system in which nothing else happens is quiet; false by default. */
  readonly isBackground?: boolean;
}

/** Two processes that a link joins, in both directions. */
export type LinkPair = readonly [one: string, other: string];

/** The rules for the messages of a link or a lane. */
export interface LinkRules extends Pick<Transport, 'order' | 'onCut'> {
  /** Whether the environment may lose messages on it, within the budget `faults.losses`. */
  readonly losses: boolean;
  /** Whether the environment may duplicate messages on it, within the budget `faults.duplicates`. */
  readonly duplicates: boolean;
}

/**
 * A link between two processes, in both directions, or one lane of it. A rule that is left out is that of the link for a lane, and
 * otherwise the system's: `order` and `onCut` of the transport, losses and duplicates wherever their budgets allow them.
 */
export interface DeclaredLink extends Partial<LinkRules> {
  /** With `environment` for one of them: the messages that the environment sends to the other. */
  readonly between: LinkPair;
  /** The lane; all lanes of the link that are not declared themselves, if left out. */
  readonly lane?: string;
  /** Whether the environment may cut it, within the budget `faults.partitions`; true by default. */
  readonly partitions?: boolean;
  /**
   * Whether both ends get a `LinkReport` when it goes down and when it comes up: because a direction of it is cut or healed, or the
   * process at the other end is down or there again. With `first`, only the first of `between` gets them. Lanes do not inherit it.
   */
  readonly reports?: boolean | 'first';
}

/** The message of the environment to a process at the end of a link that is declared with `reports`. */
export interface LinkReport {
  /** Tells it apart from other messages. */
  readonly type: 'link';
  /** The process at the other end. */
  readonly peer: string;
  /** Left out if the whole link is meant. */
  readonly lane?: string;
  /** Whether the link came up, or went down. */
  readonly isUp: boolean;
}

/** How many of each may happen in one execution before the environment adds no more; what the workload does counts. */
export interface Faults {
  /** Processes that crash. */
  readonly crashes: number;
  /** Processes that are restarted after a crash. */
  readonly restarts: number;
  /** Links that are cut; each may heal. */
  readonly partitions: number;
  /** Messages that are lost. */
  readonly losses: number;
  /** Messages that are delivered twice. */
  readonly duplicates: number;
  /** Messages that are held back until another event that can happen has happened. */
  readonly holds: number;
  /** Processes that are paused for a while. */
  readonly pauses: number;
}

/** No faults: the default budgets. */
export const noFaults: Faults = {
  crashes: 0,
  restarts: 0,
  partitions: 0,
  losses: 0,
  duplicates: 0,
  holds: 0,
  pauses: 0,
};

/** Makes the behavior of a process that joins or is spawned. */
export type Kind = ((args: never) => AnyBehavior) & {
  /** Who runs such processes; the kernel, if it is missing. */
  readonly host?: Host;
};

/**
 * An external event that a system defines: the externals that it consists of in this world, performed at once; null if it cannot happen in
 * this world.
 */
export type Action = (world: World, payload: never) => readonly External[] | null;

/** The processes, the network and the faults of a system: all that the kernel needs to know of it. */
export interface Declaration {
  /** The declared processes by name, in the order in which they start. */
  readonly processes: ReadonlyMap<string, AnyBehavior>;
  /** What may join or be spawned later, by the name of the kind. */
  readonly kinds: ReadonlyMap<string, Kind>;
  /** Externals of the system's own, by name. */
  readonly actions: ReadonlyMap<string, Action>;
  /** The order of messages, and what happens to them when processes are absent or links are cut. */
  readonly transport: Transport;
  /** When timers fire: at any moment, or by their deadlines. */
  readonly timers: Timing;
  /** How many faults of each kind the environment may add. */
  readonly faults: Faults;
  /** The links and lanes with rules of their own, and those that partitions may cut; if undefined, every pair of processes. */
  readonly links?: readonly DeclaredLink[];
  /** What counts of a message where executions cannot be repeated: see `ChannelIdentities`. */
  readonly fingerprint?: (message: unknown) => unknown;
  /** How long a round is, where events appear by themselves. */
  readonly roundMs?: number;
  /** What replays do not compare with recordings. */
  readonly passing?: readonly PassingRule<unknown>[];
}

import type { CulpritError } from '../error.ts';
import type { Digest } from '../trace/digest.ts';
import type { Event, External, Internal } from '../trace/event.ts';
import type { Verdict } from '../trace/verdict.ts';
import type { Guarantees } from './host.ts';
import type { Recording } from './recording.ts';
import type { World } from './world.ts';

/** Anything culprit can drive. */
export interface Target {
  /**
   * A fresh initial world. Trusted: data that looks plain is taken to be so, because other executions of the same system were
   * examined for what copies would lose.
   */
  open(seed: number, isTrusted?: boolean): Session;
}

/** How a wait ended: the event it was for is enabled, something arrived, the time was over, or the session was closed. */
export type Waited = 'matched' | 'arrived' | 'timeout' | 'ended';

/** What a session waits for. */
export interface WaitOptions {
  readonly ms: number;
  /** Waits for an enabled event that matches. Without it, any arrival ends the wait. */
  readonly matching?: (event: Internal) => boolean;
}

/** When the event of a replay that happens next did in the recording, and when the one did that follows it. */
export interface RecordedMoment {
  readonly atMs: number;
  readonly beforeMs: number;
}

/** One execution under way. */
export interface Session {
  /** What all processes of the system promise: ask it before `fork` or a comparison with a recording. */
  readonly guarantees: Guarantees;
  /** Present where events appear by themselves: lets time pass until one does. */
  readonly wait: ((until: WaitOptions) => Promise<Waited>) | undefined;
  /** How long a round is, where events appear by themselves. */
  readonly roundMs: number | undefined;
  /** The time of the session: virtual, or what its clock shows where events appear by themselves. */
  readonly nowMs: number;
  /** Of a replay, before an event: processes that ask for the time get that of the recording, if it is known. */
  followRecording(moment: RecordedMoment | undefined): void;
  /** The internal events that the transport allows now. */
  readonly enabled: readonly Internal[];
  /** Whether the event shows nothing of how busy the system is: see `PassingRule`. */
  isBackground(event: Internal): boolean;
  /** The faults that the environment may still inject within the declared budgets. */
  faults(): readonly External[];
  /** The reason why an external cannot happen now; undefined if it can. */
  refusal(external: External): string | undefined;
  /** The event and its immediate consequences. A promise only if code of the target is asynchronous. */
  perform(event: Internal | External): void | Promise<void>;
  /**
   * Whether it is a hang if the event does not end. False for an event of a process that acts by itself: it may take as long as it
   * likes.
   */
  mustReturn(event: Internal | External): boolean;
  /** The enabled event of the same identity. */
  find(wanted: Internal): Internal | undefined;
  /** The enabled events of the same kind, process and peer; of one process; and the messages in flight of that channel. */
  enabledLike(wanted: Internal): readonly Internal[];
  /** The enabled events of one process. */
  enabledAt(process: string): readonly Internal[];
  /** The messages in flight on the channel of that event, enabled or not. */
  pendingLike(wanted: Internal): readonly Internal[];
  /** What oracles look at. It changes with every event: copy what you keep. */
  readonly world: World;
  /** The events so far, and the notes beside them. */
  readonly recording: Recording;
  /** Names the execution so far, up to the order of independent events. */
  name(): Digest;
  /**
   * Equal for worlds with the same future, even if their pasts differ, as long as no handler reads a clock for the first
   * time. `isTimed`: whether the time counts; by default it counts if a handler has read a clock. `isOrdered`: whether the
   * order of an object's keys counts; few handlers depend on it.
   */
  worldDigest(isTimed?: boolean, isOrdered?: boolean): Digest;
  /** Whether a handler has looked at a clock. */
  readonly clockRead: boolean;
  /** Whether a handler has drawn a random number: then an execution of the same name with another seed may have other data. */
  readonly isDrawn: boolean;
  /** Present when the world can be copied without executing it again. Ask at every step: suspended code prevents it. */
  readonly fork: (() => Session) | undefined;
  /**
   * Present where programs run that can be copied by those who run them: makes a checkpoint of them and of the world; undefined if one
   * of them cannot be copied now. Ask between two events.
   */
  readonly checkpoint: (() => Promise<SessionCheckpoint | undefined>) | undefined;
  /** Set when no event can happen although code awaits something that the kernel does not control. */
  readonly stuck: CulpritError | undefined;
  /**
   * For the end of an execution that was trusted: examines the states of all processes for parts that copies would lose, and throws
   * where there is one.
   */
  examineStates(): void;
  /** Ends the lives of all processes. A promise where that takes a while; again, it does nothing. */
  close(): void | Promise<void>;
}

/** A session as it was at one moment. It ends with the session. */
export interface SessionCheckpoint {
  /**
   * The session as it was then, which takes the place of the one that was in use: that one is over, and closing the new one closes all.
   * Undefined if a program of it is gone: then nothing but closing is left.
   */
  proceed(): Promise<Session | undefined>;
  /** Gives it up. */
  close(): void;
}

/** Picks the next event, or lets time pass; undefined ends the execution. */
export interface Strategy {
  /** Called before every event, also after waiting. A returned event must be enabled, and an external must not be refused. */
  next(session: Session): Internal | External | Pause | undefined;
}

/** What a strategy returns to let time pass, where events appear by themselves. */
export class Pause {
  constructor(
    /** When the strategy is asked again at the latest. */
    readonly until: WaitOptions,
  ) {}
}

/** Judges an execution. */
export interface Oracle {
  /** Asked at the start and after every event. */
  judge(world: World, last: Event | undefined): Verdict;
  /** Asked once more when an execution ends; `quiet` if no event is enabled any more. */
  end?(world: World, quiet: boolean): Verdict;
  /**
   * Where events appear by themselves: until when it waits whether something that is wrong now lasts; undefined if nothing is. An execution
   * in which nothing happens any more does not end before.
   */
  undecidedUntilMs?(): number | undefined;
  /** Present if the oracle remembers earlier worlds: gives the oracle for one execution. */
  begin?(session: Session): Oracle;
  /**
   * Of one that remembers: whether it says the same of executions that differ only in the order of independent events. Where
   * it does not say so, a check that looks at one of those orders does not know.
   */
  readonly ignoresOrder?: boolean;
  /**
   * Of one with `begin`: whether it judges worlds and not their history, so that `begin` only saves work. Without `begin`, `judge` and
   * `end` say the same of every world, and a check asks them, of each world that it reaches.
   */
  readonly isOfWorld?: boolean;
  /**
   * Of one that judges worlds: whether it holds in every world in which this event is pending, which has yet to happen in this world. It
   * looks at pending events for nothing else. So the order of two such events makes no difference to it.
   */
  waitsFor?(event: Internal, world: World): boolean;
  /** How many fair rounds an execution should end with for it to have something to say: see `Rounds`. */
  readonly fairRounds?: number;
}

/** Says which orders need not both be tried. */
export interface Reduction {
  readonly name: string;
  /** Whether it makes no difference in which order these happen here; they happen to the same process, or one to many. */
  independent?(session: Session, one: Internal | External, other: Internal | External): boolean;
  /** Whether the result of this step has been seen often enough: a heuristic. */
  isFamiliar?(session: Session, step: Internal | External): boolean;
  /** Its memory, if it remembers something. */
  readonly seen?: Set<string>;
}

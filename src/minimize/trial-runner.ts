import { LenientReplay, type LenientReplayOptions, unknownTargets } from '../schedule/replay/lenient-replay.ts';
import { Matcher, type ContentOf } from '../schedule/replay/match.ts';
import { judged, type Judge } from '../execution/run-and-judge.ts';
import { HANDLER_RETURNS } from '../kernel/loop.ts';
import type { Session, Target } from '../kernel/ports.ts';
import { Branches } from './branches.ts';
import { Checkpoints, perform } from '../execution/prefix-sessions.ts';
import { findShortcuts, type Shortcut } from './passes/shortcut-search.ts';
import { failingEvents, lostToCutsIn, targetsIn } from './failing.ts';
import { Lru } from './lru.ts';
import type { Answer, CandidateSchedule, Failing } from './pass.ts';
import type { Renaming } from './passes/renaming.ts';
import type { RepeatedTrials } from './flaky.ts';
import type { Rules } from './rules.ts';
import { StatePaths } from './state-paths.ts';
import type { Trials } from './trials.ts';
import { Transitions } from './transitions.ts';
import { digestText, hex, mixHi, mixLo, sameDigest } from '../trace/digest.ts';
import { ENVIRONMENT, isConsequence, type Event } from '../trace/event.ts';
import { isUndecided, type Violated } from '../trace/verdict.ts';
import { remembers } from '../oracles/remembers.ts';

export interface TrialOptions extends Judge {
  readonly target: Target;
  readonly seed: number;
  /** The content of a message, for matching. */
  readonly contentOf: ContentOf;
  readonly rules: Rules;
  /**
   * Whether it is the violation that is minimized, and not another bug. With a renaming, its processes have new names.
   */
  readonly isSame: (violation: Violated, renaming: Renaming | undefined) => boolean;
  /** Set if the system is not deterministic: decides how often candidates are executed. */
  readonly repeats: RepeatedTrials | undefined;
  /** Receives executions with other violations. */
  readonly onOther: (other: Failing) => void;
}

/** The number of candidates that are remembered as not failing. */
const REMEMBERED_MAX = 100_000;

/** So many states are compared at most, one of each process for each event: in longer executions, loops and detours are not looked for. */
const LOOKS_MAX = 2_000_000;

/** These states have so many values in all. */
const VALUES_MAX = 20_000_000;

const NOTHING: Answer = { failing: undefined, isUnknown: false, ambiguities: [] };

const isNothing = ({ isUnknown, ambiguities }: Answer): boolean => !isUnknown && ambiguities.length === 0;

/** A session, and the replay that continues it. */
interface TrialStart {
  readonly session: Session;
  readonly strategy: LenientReplay;
}

/** Executes candidates. A beginning that candidates share is executed only once, and no candidate is executed twice. */
export class TrialRunner implements Trials {
  readonly wasted = 0;
  /** The number of schedules and events executed so far. */
  schedules = 0;
  events = 0;
  private readonly answers = new Lru<Answer>(REMEMBERED_MAX);
  private readonly matcher: Matcher;
  private checkpoints: Checkpoints | undefined;
  private branches: Branches | undefined;
  private base: readonly Event[] = [];
  /** The execution that is minimized, as it was given. */
  private original: readonly Event[] | undefined;
  private transitions: Promise<Transitions> | undefined;

  constructor(private readonly options: TrialOptions) {
    this.matcher = new Matcher(options.contentOf);
  }

  /** Sets the execution with which the next candidates are likely to begin. */
  rebase({ events }: Failing): void {
    const { target, oracle, seed, repeats } = this.options;
    this.base = events;
    this.original ??= events;
    // The memory of an oracle cannot be copied with a world. And a copied world repeats its random choices, so
    // executing a candidate several times would not sample them.
    const isShared = !remembers(oracle) && repeats === undefined;
    this.checkpoints = isShared ? new Checkpoints(() => target.open(seed), events) : undefined;
  }

  async test(candidate: CandidateSchedule): Promise<Answer> {
    const key = keyOf(candidate);
    const known = this.answers.get(key);
    if (known !== undefined) return known;
    const execute = (): Promise<Answer> => this.execute(candidate);
    const { repeats } = this.options;
    const answer = await (repeats?.test(execute, (failing) => this.replay(failing, candidate.renaming)) ?? execute());
    if (answer.failing === undefined) this.answers.keep(key, isNothing(answer) ? NOTHING : answer);
    return answer;
  }

  /** Forgets all answers, because the violation has changed. */
  clear(): void {
    this.answers.clear();
  }

  /** Lets a caller execute exactly these events again and again. */
  async repeatedly<T>(events: readonly Event[], use: (next: () => Promise<Answer>) => Promise<T>): Promise<T> {
    return await use(() => this.replay({ events }));
  }

  /** Executes exactly these events from the start. */
  async replay({ events }: Pick<Failing, 'events'>, renaming?: Renaming): Promise<Answer> {
    const candidate = renaming === undefined ? exactCandidate(events) : { ...exactCandidate(events), renaming };
    return await this.execute(candidate, () => this.fromStart(candidate));
  }

  private async execute(candidate: CandidateSchedule, begin = () => this.startOf(candidate)): Promise<Answer> {
    let before = 0;
    this.schedules += 1;
    const opened: Session[] = [];
    const attempt = (isAgain: boolean): TrialStart => {
      const begun = isAgain ? this.fromStart(candidate) : begin();
      before = begun.session.world.length;
      opened.push(begun.session);
      return begun;
    };
    const trial = judged(attempt, this.options, candidate.events.length);
    const { session, strategy, verdict } = await closing(opened, trial);
    this.events += session.world.length - before;
    const { ambiguities } = strategy;
    const nothing = { failing: undefined, isUnknown: isUndecided(verdict), ambiguities };
    if (verdict?.kind !== 'violated') return nothing;
    if (candidate.mayDiverge === false && (await this.observed()).divergeIn(session)) return nothing;
    const failing = this.failingIn(session, verdict);
    if (this.options.isSame(verdict, candidate.renaming)) return { ...nothing, failing, isUnknown: false };
    this.options.onOther(failing);
    return nothing;
  }

  private observed(): Promise<Transitions> {
    const { target, seed, contentOf } = this.options;
    return (this.transitions ??= Transitions.observedIn(target.open(seed), this.original ?? [], contentOf));
  }

  private fromStart(candidate: CandidateSchedule): TrialStart {
    const { target, seed } = this.options;
    return { session: target.open(seed), strategy: new LenientReplay(candidate.events, this.replayOptions(candidate)) };
  }

  /** The session at which a candidate begins to differ from earlier executions, and the replay from there on. */
  private startOf(candidate: CandidateSchedule): TrialStart {
    const { events, choices } = candidate;
    const options = this.replayOptions(candidate);
    if (choices === undefined || this.checkpoints === undefined) {
      const session = this.upTo(events);
      if (session === undefined) return this.fromStart(candidate);
      return { session, strategy: new LenientReplay(events, options, session.world.length) };
    }
    const branches = this.branchesOf(candidate);
    const onChoice = branches.watch(choices);
    const branch = branches.toward(choices);
    const session = branch?.session ?? this.upTo(events) ?? this.options.target.open(this.options.seed);
    const { at, ambiguities } = branch ?? { at: session.world.length, ambiguities: [] };
    return { session, strategy: new LenientReplay(events, { ...options, onChoice }, at, ambiguities) };
  }

  private replayOptions({ events, likeness, absent, choices, targets }: CandidateSchedule): LenientReplayOptions {
    const standard = likeness === 'content' ? 'skip' : 'repair';
    // The number must not depend on whether these events are executed or a session has them already.
    const settled = choices === undefined ? 0 : sharedBy(this.base, events);
    return { matcher: this.matcher, likeness, choices, settled, targets, absent: absent ?? standard };
  }

  private upTo(events: readonly Event[]): Session | undefined {
    return this.checkpoints?.upTo(sharedBy(this.base, events));
  }

  /** Sessions of the previous candidate are dropped: the choices of one candidate are tried in sequence. */
  private branchesOf({ choices: _choices, ...candidate }: CandidateSchedule): Branches {
    const key = keyOf(candidate);
    if (this.branches?.candidate !== key) this.branches = new Branches(key);
    return this.branches;
  }

  /** The execution up to the violation. */
  private failingIn(session: Session, violation: Violated): Failing {
    const events = failingEvents(session, violation);
    const { rules } = this.options;
    // A handler that did not return would not return now either, and left no state.
    const whole = violation.oracle === HANDLER_RETURNS ? events.slice(0, -1) : events;
    return {
      events,
      violation,
      targets: targetsIn(session, events),
      lostToCuts: lostToCutsIn(session, events),
      ...this.alternativesOf(whole),
      rules,
    };
  }

  private alternativesOf(events: readonly Event[]): Pick<Failing, 'paths' | 'shortcuts'> {
    const { target, seed } = this.options;
    const paths = (): StatePaths | undefined => this.pathsOf(events);
    const shortcuts = (known: StatePaths | undefined): Shortcut[] =>
      known === undefined ? [] : findShortcuts(target.open(seed), events, known);
    return { paths, shortcuts: () => shortcuts(paths()) };
  }

  private pathsOf(events: readonly Event[]): StatePaths | undefined {
    // Without determinism, states differ between executions of the same schedule.
    if (this.options.repeats !== undefined) return undefined;
    const processes = new Set(events.map(({ process }) => process)).size;
    if (events.length * processes > LOOKS_MAX) return undefined;
    const session = this.options.target.open(this.options.seed);
    const paths = new StatePaths();
    while (session.world.length < events.length) {
      const before = session.world.length;
      if (!perform(session, events[before] as Event)) return undefined;
      for (const { process } of events.slice(before, session.world.length))
        paths.add(process, stateOf(session, process));
      if (paths.values > VALUES_MAX) return undefined;
    }
    return paths;
  }
}

/** The result of a trial, when all sessions that it opened are closed. */
async function closing<T>(opened: readonly Session[], trial: Promise<T>): Promise<T> {
  try {
    return await trial;
  } finally {
    for (const session of opened) await session.close();
  }
}

const stateOf = ({ world }: Session, name: string): object | undefined =>
  name === ENVIRONMENT ? undefined : world.process(name).state;

/** A candidate of exactly these events. */
export const exactCandidate = (events: readonly Event[]): CandidateSchedule => ({
  events,
  likeness: 'content',
  absent: 'stop',
  targets: unknownTargets(events),
});

/** The number of events that both have in common at the start. */
function sharedBy(base: readonly Event[], events: readonly Event[]): number {
  const length = Math.min(base.length, events.length);
  let shared = 0;
  while (shared < length && sameDigest(base[shared] as Event, events[shared] as Event)) shared += 1;
  // An action stays together with the events that it brings about.
  while (shared < base.length && isConsequence(base[shared] as Event, base)) shared -= 1;
  return shared;
}

/** A digest of a candidate's events and of how they are matched. */
export function keyOf(candidate: CandidateSchedule): string {
  const { events, likeness, absent, mayDiverge = true, choices, unexpected = '' } = candidate;
  let { hi, lo } = digestText(`${likeness} ${absent ?? ''} ${mayDiverge} ${choices?.join(' ') ?? 'none'}${unexpected}`);
  const mix = (digest: { readonly hi: number; readonly lo: number }): void => {
    hi = mixHi(mixHi(hi, digest.hi), digest.lo);
    lo = mixLo(mixLo(lo, digest.lo), digest.hi);
  };
  events.forEach(mix);
  return hex({ hi, lo });
}

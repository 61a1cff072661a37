import { LenientReplay, type LenientReplayOptions } from '../schedule/replay/lenient-replay.ts';
import { Matcher, type ContentOf } from '../schedule/replay/match.ts';
import { judged, type Judge } from '../execution/run-and-judge.ts';
import { HANDLER_RETURNS } from '../kernel/loop.ts';
import type { Session, Target } from '../kernel/ports.ts';
import type { Dropped } from '../kernel/recording.ts';
import { Branches } from './branches.ts';
import { Checkpoints, perform } from '../execution/prefix-sessions.ts';
import { detoursFrom, type Detour } from './passes/shortcut-search.ts';
import { Lru } from './lru.ts';
import type { Answer, Candidate, Failing } from './pass.ts';
import type { Renaming } from './passes/renaming.ts';
import type { Repeats } from './flaky.ts';
import type { Rules } from './rules.ts';
import { StatePaths } from './state-paths.ts';
import { Transitions } from './transitions.ts';
import { digestText, hex, mixHi, mixLo, sameDigest } from '../trace/digest.ts';
import { ENVIRONMENT, isConsequence, type Event } from '../trace/event.ts';
import type { Violated } from '../trace/verdict.ts';
import { unknownTargets } from '../schedule/replay/unknown-targets.ts';

export interface TrialOptions extends Judge {
  readonly target: Target;
  readonly seed: number;
  /** What messages amount to. */
  readonly contentOf: ContentOf;
  readonly rules: Rules;
  /** Whether it is the violation that is being minimized, and not another bug; its processes may have new names. */
  readonly isSame: (violation: Violated, renaming: Renaming | undefined) => boolean;
  /** Where the system is not deterministic: how often candidates are executed. */
  readonly repeats: Repeats | undefined;
  /** Gets other violations. */
  readonly onOther: (other: Failing) => void;
}

/** Candidates that came to nothing are remembered, up to so many. */
const REMEMBERED_MAX = 100_000;

/** So many states are compared at most, one of each process for each event: in longer executions, loops and detours are not looked for. */
const LOOKS_MAX = 2_000_000;

const NOTHING: Answer = { failing: undefined, isUnknown: false, ambiguities: [] };

const isNothing = ({ isUnknown, ambiguities }: Answer): boolean => !isUnknown && ambiguities.length === 0;

/** A session, and what it goes on with. */
interface TrialStart {
  readonly session: Session;
  readonly strategy: LenientReplay;
}

/** Executes candidates: what they begin with only once, and no candidate twice. */
export class TrialRunner {
  /** Schedules and events executed so far. */
  schedules = 0;
  events = 0;
  private readonly came = new Lru<Answer>(REMEMBERED_MAX);
  private readonly matcher: Matcher;
  private checkpoints: Checkpoints | undefined;
  private branches: Branches | undefined;
  private base: readonly Event[] = [];
  /** What is minimized, as it was given. */
  private original: readonly Event[] | undefined;
  private transitions: Promise<Transitions> | undefined;

  constructor(private readonly options: TrialOptions) {
    this.matcher = new Matcher(options.contentOf);
  }

  /** From now on candidates are likely to begin like this execution. */
  begin({ events }: Failing): void {
    const { target, oracle, seed, repeats } = this.options;
    this.base = events;
    this.original ??= events;
    // What an oracle has seen cannot be copied with a world; and a copied world has its random choices behind it, so that
    // executing a candidate again would not mean to choose again.
    const isShared = oracle.begin === undefined && repeats === undefined;
    this.checkpoints = isShared ? new Checkpoints(() => target.open(seed), events) : undefined;
  }

  async ask(candidate: Candidate): Promise<Answer> {
    const key = keyOf(candidate);
    const known = this.came.get(key);
    if (known !== undefined) return known;
    const execute = (): Promise<Answer> => this.execute(candidate);
    const { repeats } = this.options;
    const answer = await (repeats?.ask(execute, (failing) => this.again(failing, candidate.renaming)) ?? execute());
    if (answer.failing === undefined) this.came.keep(key, isNothing(answer) ? NOTHING : answer);
    return answer;
  }

  /** What is looked for has changed: what came to nothing may come to something. */
  forget(): void {
    this.came.forget();
  }

  /** Exactly these events once more, from the start; undefined where they do not lead to the violation. */
  async again({ events }: Pick<Failing, 'events'>, renaming?: Renaming): Promise<Failing | undefined> {
    const candidate = renaming === undefined ? exactly(events) : { ...exactly(events), renaming };
    return (await this.execute(candidate, () => this.fromStart(candidate))).failing;
  }

  private async execute(candidate: Candidate, begin = () => this.beginning(candidate)): Promise<Answer> {
    let before = 0;
    this.schedules += 1;
    const { session, strategy, verdict } = await judged(
      (isAgain) => {
        const begun = isAgain ? this.fromStart(candidate) : begin();
        before = begun.session.world.length;
        return begun;
      },
      this.options,
      candidate.events.length,
    );
    this.events += session.world.length - before;
    session.close();
    const { ambiguities } = strategy;
    const nothing = { failing: undefined, isUnknown: verdict?.kind === 'unknown', ambiguities };
    if (verdict?.kind !== 'violated') return nothing;
    if (candidate.mayDiverge === false && (await this.observed()).divergeIn(session)) return nothing;
    const failing = this.failingIn(session, verdict);
    if (this.options.isSame(verdict, candidate.renaming)) return { ...nothing, failing };
    this.options.onOther(failing);
    return nothing;
  }

  private observed(): Promise<Transitions> {
    const { target, seed, contentOf } = this.options;
    return (this.transitions ??= Transitions.observedIn(target.open(seed), this.original ?? [], contentOf));
  }

  private fromStart(candidate: Candidate): TrialStart {
    const { target, seed } = this.options;
    return { session: target.open(seed), strategy: new LenientReplay(candidate.events, this.followOptions(candidate)) };
  }

  /** Where a candidate begins to differ from what was executed before, and what follows it from there. */
  private beginning(candidate: Candidate): TrialStart {
    const { events, choices } = candidate;
    const options = this.followOptions(candidate);
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

  private followOptions({ events, likeness, absent, choices, targets }: Candidate): LenientReplayOptions {
    const standard = likeness === 'content' ? 'skip' : 'repair';
    // The same whether a session has them behind it already or they are executed again.
    const settled = choices === undefined ? 0 : sharedBy(this.base, events);
    return { matcher: this.matcher, likeness, absent: absent ?? standard, choices, settled, targets };
  }

  private upTo(events: readonly Event[]): Session | undefined {
    return this.checkpoints?.upTo(sharedBy(this.base, events));
  }

  /** Those of the candidate before are given up: choices of one candidate are tried in a row. */
  private branchesOf({ choices: _choices, ...candidate }: Candidate): Branches {
    const key = keyOf(candidate);
    if (this.branches?.candidate !== key) this.branches = new Branches(key);
    return this.branches;
  }

  /** What happened, up to the violation. */
  private failingIn(session: Session, violation: Violated): Failing {
    const events = session.recording.events.since(0).slice(0, violation.events);
    const { rules } = this.options;
    const cutOff = droppedIn(session).filter(({ why, event }) => why === 'cut' && event < events.length);
    // What did not return would not do so now, and left no state.
    const whole = violation.oracle === HANDLER_RETURNS ? events.slice(0, -1) : events;
    return { events, violation, targets: targetsIn(session, events), cutOff, ...this.waysOf(whole), rules };
  }

  private waysOf(events: readonly Event[]): Pick<Failing, 'paths' | 'detours'> {
    const { target, seed } = this.options;
    const paths = (): StatePaths | undefined => this.pathsOf(events);
    const detours = (known: StatePaths | undefined): Detour[] =>
      known === undefined ? [] : detoursFrom(target.open(seed), events, known);
    return { paths, detours: () => detours(paths()) };
  }

  private pathsOf(events: readonly Event[]): StatePaths | undefined {
    // States that come now and then are no way that an execution takes.
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
    }
    return paths;
  }
}

const stateOf = ({ world }: Session, name: string): object | undefined =>
  name === ENVIRONMENT ? undefined : world.process(name).state;

const droppedIn = ({ recording }: Session): Dropped[] =>
  recording.notes.since(0).filter((note) => note.kind === 'dropped');

/** These events and no others. */
export const exactly = (events: readonly Event[]): Candidate => ({
  events,
  likeness: 'content',
  absent: 'stop',
  targets: unknownTargets(events),
});

function targetsIn(session: Session, events: readonly Event[]): Failing['targets'] {
  const targets = unknownTargets(events);
  if (targets.size === 0) return targets;
  const dropped = droppedIn(session).map(({ message }) => message);
  for (const event of [...events, ...session.world.pending, ...dropped])
    if (event.kind === 'deliver' && targets.has(hex(event))) targets.set(hex(event), event);
  return targets;
}

/** How many events both begin with. */
function sharedBy(base: readonly Event[], events: readonly Event[]): number {
  const length = Math.min(base.length, events.length);
  let shared = 0;
  while (shared < length && sameDigest(base[shared] as Event, events[shared] as Event)) shared += 1;
  // An action and what it brings about are not torn apart.
  while (shared < base.length && isConsequence(base[shared] as Event, base)) shared -= 1;
  return shared;
}

/** Of a candidate's events in their order, and how they are matched. */
function keyOf({ events, likeness, absent, mayDiverge = true, choices }: Candidate): string {
  let { hi, lo } = digestText(`${likeness} ${absent ?? ''} ${mayDiverge} ${choices?.join(' ') ?? 'none'}`);
  const mix = (digest: { readonly hi: number; readonly lo: number }): void => {
    hi = mixHi(mixHi(hi, digest.hi), digest.lo);
    lo = mixLo(mixLo(lo, digest.lo), digest.hi);
  };
  events.forEach(mix);
  return hex({ hi, lo });
}

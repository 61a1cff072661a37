import { HANDLER_RETURNS } from '../kernel/loop.ts';
import type { Session } from '../kernel/ports.ts';
import { remembers } from '../oracles/remembers.ts';
import { perform } from '../execution/prefix-sessions.ts';
import { ENVIRONMENT, type Event } from '../trace/event.ts';
import type { Violated } from '../trace/verdict.ts';
import { CandidateExecutor, type CandidateOptions, type PlainFailing, type Tried } from './candidate-executor.ts';
import { isShorter } from './candidate-jobs.ts';
import { CandidatePlan, type Planned } from './candidate-plan.ts';
import { exactCandidate, keyOf } from './candidates.ts';
import type { RepeatedTrials } from './flaky.ts';
import { Lru } from './lru.ts';
import type { Answer, CandidateSchedule, Failing } from './pass.ts';
import type { Renaming } from './passes/renaming.ts';
import { findShortcuts, type Shortcut } from './passes/shortcut-search.ts';
import type { Rules } from './rules.ts';
import { StatePaths } from './state-paths.ts';
import type { TrialHelpers } from './trial-helpers.ts';
import type { Trials } from './trials.ts';

/** Other threads that execute candidates. */
export type Helpers = Pick<TrialHelpers, 'newest' | 'share' | 'listen'>;

export interface TrialOptions extends Omit<CandidateOptions, 'sharesBeginnings'> {
  readonly rules: Rules;
  /** Set if the system is not deterministic: decides how often candidates are executed. */
  readonly repeats: RepeatedTrials | undefined;
  /** Receives executions with other violations. */
  readonly onOther: (other: Failing) => void;
  /** Other threads, and the violation that they look for now. */
  readonly sharing?: { readonly helpers: Helpers; readonly violation: () => Violated } | undefined;
}

/** The number of candidates that are remembered as not failing. */
const REMEMBERED_MAX = 100_000;

/** So many states are compared at most, one of each process for each event: in longer executions, loops and detours are not looked for. */
const LOOKS_MAX = 2_000_000;

/** These states have so many values in all. */
const VALUES_MAX = 20_000_000;

/** A piece of this thread is over after so long: then it looks at what the others have. */
const PIECE_MS = 10;

const NOTHING: Answer = { failing: undefined, isUnknown: false, ambiguities: [] };

const isNothing = ({ isUnknown, ambiguities }: Answer): boolean => !isUnknown && ambiguities.length === 0;

/**
 * Executes candidates, and those that are likely to be asked about next. Only those count that a pass asks about: answers and
 * counts do not depend on what was executed ahead, here or in other threads. No candidate that does not fail is executed twice.
 */
export class TrialRunner implements Trials {
  /** The number of schedules and events executed so far. */
  schedules = 0;
  events = 0;
  private readonly answers = new Lru<Answer>(REMEMBERED_MAX);
  private readonly executor: CandidateExecutor;
  private readonly plan: CandidatePlan;
  private base: readonly Event[] = [];
  /** The number of schedules that were executed for themselves. */
  private alone = 0;

  constructor(private readonly options: TrialOptions) {
    const { oracle, repeats, sharing } = options;
    // The memory of an oracle cannot be copied with a world. And a copied world repeats its random choices, so
    // executing a candidate several times would not sample them.
    const sharesBeginnings = !remembers(oracle) && repeats === undefined;
    this.executor = new CandidateExecutor({ ...options, sharesBeginnings });
    const shared = sharing && { newest: sharing.helpers.newest, violation: sharing.violation };
    this.plan = new CandidatePlan((key) => this.answers.get(key) !== undefined, shared);
  }

  get wasted(): number {
    return this.plan.executed + this.alone - this.schedules;
  }

  rebase(failing: Failing): void {
    this.base = failing.events;
    this.executor.rebase(failing.events);
    this.plan.rebase(failing);
  }

  async test(candidate: CandidateSchedule): Promise<Answer> {
    const key = keyOf(candidate);
    const known = this.answers.get(key);
    if (known !== undefined) return known;
    const { repeats } = this.options;
    const answer =
      repeats === undefined
        ? this.counted(await this.tried({ key, candidate }))
        : await repeats.test(
            () => this.execute(candidate),
            (failing) => this.replay(failing, candidate.renaming),
          );
    if (answer.failing === undefined) this.answers.keep(key, isNothing(answer) ? NOTHING : answer);
    return answer;
  }

  /** Forgets all answers, because the violation has changed. */
  clear(): void {
    this.answers.clear();
    this.plan.forget();
  }

  /** Lets a caller execute exactly these events again and again. */
  async repeatedly<T>(events: readonly Event[], use: (next: () => Promise<Answer>) => Promise<T>): Promise<T> {
    return await use(() => this.replay({ events }));
  }

  /** Executes exactly these events from the start. */
  async replay({ events }: Pick<Failing, 'events'>, renaming?: Renaming): Promise<Answer> {
    const candidate = renaming === undefined ? exactCandidate(events) : { ...exactCandidate(events), renaming };
    return await this.execute(candidate, true);
  }

  /** Executes one candidate now. */
  private async execute(candidate: CandidateSchedule, fromStart = false): Promise<Answer> {
    this.alone += 1;
    const [tried] = await this.executor.tryEach([candidate], () => true, fromStart);
    return this.counted(tried as Tried);
  }

  /**
   * The result of a candidate. While another thread executes it, this one executes those after it. What it executes ahead begins with the candidates
   * that are asked about first.
   */
  private async tried(asked: Planned): Promise<Tried> {
    const { plan } = this;
    const { helpers } = this.options.sharing ?? {};
    plan.ask(asked);
    for (;;) {
      const tried = plan.take(asked.key);
      if (tried !== undefined) return tried;
      const piece = plan.isElsewhere(asked.key) ? plan.claim() : [asked, ...plan.claim(1)];
      const isShared = (await helpers?.share(plan)) === true;
      if (piece.length > 0) await this.executeHere(piece);
      if (isShared) await helpers?.listen(piece.length === 0);
    }
  }

  private async executeHere(piece: readonly Planned[]): Promise<void> {
    const beganMs = performance.now();
    const elapsedMs = (): number => performance.now() - beganMs;
    const tried = await this.executor.tryEach(
      piece.map(({ candidate }) => candidate),
      (last) => isShorter(last, this.base.length) || elapsedMs() > PIECE_MS,
    );
    this.plan.put(piece, tried, elapsedMs());
  }

  /** A result that was asked for counts. */
  private counted({ violated, isUnknown, ambiguities, events }: Tried): Answer {
    this.schedules += 1;
    this.events += events;
    const nothing = { failing: undefined, isUnknown, ambiguities };
    if (violated === undefined) return nothing;
    const failing = this.failingFrom(violated.failing);
    if (violated.isSame) return { ...nothing, failing, isUnknown: false };
    this.options.onOther(failing);
    return nothing;
  }

  private failingFrom(plain: PlainFailing): Failing {
    const { events, violation } = plain;
    // A handler that did not return would not return now either, and left no state.
    const whole = violation.oracle === HANDLER_RETURNS ? events.slice(0, -1) : events;
    return { ...plain, ...this.alternativesOf(whole), rules: this.options.rules };
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

const stateOf = ({ world }: Session, name: string): object | undefined =>
  name === ENVIRONMENT ? undefined : world.process(name).state;

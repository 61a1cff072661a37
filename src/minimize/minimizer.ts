import { isOwn } from './passes/groups.ts';
import { renamedViolation, type Renaming } from './passes/renaming.ts';
import { NotRepeated } from '../execution/prefix-sessions.ts';
import type { RepeatedTrials, Reproduction } from './flaky.ts';
import { isSameBug } from '../execution/same-bug.ts';
import type { Answer, Failing, Pass } from './pass.ts';
import {
  certifyingPasses,
  certifyingUncontrolled,
  escapingPasses,
  isQuickPass,
  parsePass,
  whyLeftOut,
} from './pass-registry.ts';
import type { PassingReport, WaitingReplays } from '../execution/waiting-replay.ts';
import { isSimpler } from './passes/simpler.ts';
import { controlsOf } from './controls.ts';
import { LiveTrials } from './live-trials.ts';
import type { TrialJob, TrialResult } from './trial-jobs.ts';
import type { Trials } from './trials.ts';
import { GivenUp } from '../kernel/user-code/overdue.ts';
import type { SessionRunner } from '../workers/session-runner.ts';
import { inputCounts } from './input-counts.ts';
import type { Certificate, ControlCount, Minimized, Stage } from './report.ts';
import type { Shorter } from './shorter-execution.ts';
import { holdsMessages, rulesOf } from './rules.ts';
import { ShortestProof } from './shortest-proof.ts';
import type { Origin } from '../execution/record.ts';
import type { Event } from '../trace/event.ts';
import type { Violated } from '../trace/verdict.ts';
import { executionOf } from './candidate-executor.ts';
import { exactCandidate } from './candidates.ts';
import { TrialRunner, type Helpers } from './trial-runner.ts';

export interface MinimizeLimits {
  readonly schedules: number;
  readonly seconds: number;
  readonly proofStates: number;
  readonly signal: AbortSignal | undefined;
}

/** Receives events of a minimization. */
export interface MinimizeListener {
  /** Called after every schedule; the minimization continues when the promise resolves. */
  scheduleTried(): Promise<void>;
}

/** What executes the candidates of a system in which events appear by themselves. */
export interface LiveExecution {
  readonly runner: SessionRunner<TrialJob, TrialResult>;
  readonly waits: WaitingReplays;
}

/** How often it is asked whether the budget is spent while a candidate is executed. */
const OVER_LOOK_MS = 50;

interface NamedPass {
  readonly name: string;
  readonly pass: Pass;
}

/** A running minimization: passes take turns until none of them finds anything, or the budget is spent. */
export class Minimizer {
  readonly stages: Stage[] = [];
  /** The number of events left after how many schedules: at the start, and each time it becomes smaller. */
  readonly shrinkCurve: [schedules: number, events: number][] = [];
  /** Other bugs that were met, one for each fingerprint. */
  readonly others = new Map<string, Failing>();
  readonly trials: Trials;
  readonly shortestProof: ShortestProof;
  pass = 'verify';
  /** How often replays of the best execution failed, as far as measured. */
  reproduction: Reproduction = { rate: 1, replays: 1 };
  /** Where events appear by themselves: how often the violation happened without inputs and without faults. */
  readonly controls: ControlCount[] = [];
  /** Whether every removal in this round is known not to fail. */
  private isEveryVerdictKnown = true;
  private measured: Failing | undefined;
  private found: Failing | undefined;
  private readonly beganMs = performance.now();
  private readonly isControlled: boolean;
  /** If these passes find nothing, no single event can be dropped. */
  private readonly certifying: readonly string[];

  constructor(
    origin: Origin,
    private readonly initial: readonly Event[],
    private violation: Violated,
    private readonly limits: MinimizeLimits,
    private readonly listener: MinimizeListener,
    /** Set if the system is not deterministic. */
    private readonly repeats?: RepeatedTrials,
    /** Set where events appear by themselves: what replays learn, and what executes them. */
    private readonly live?: LiveExecution,
    /** Set if other threads execute candidates, too. */
    helpers?: Helpers,
  ) {
    this.isControlled = origin.system.guarantees.controlled;
    this.certifying = this.isControlled ? certifyingPasses : certifyingUncontrolled(holdsMessages(origin.system));
    this.shortestProof = new ShortestProof(origin, (other) => isSameBug(other, this.violation), limits.proofStates);
    const rules = rulesOf(origin.system, origin.seed, violation);
    const onOther = (other: Failing): void => this.noteOther(other);
    if (live !== undefined && repeats !== undefined) {
      const violationAfter = (renaming: Renaming | undefined): Violated => this.violationAfter(renaming);
      this.trials = new LiveTrials({ ...live, repeats, rules, violation: violationAfter, onOther });
      return;
    }
    this.trials = new TrialRunner({
      ...executionOf(origin, violation),
      rules,
      isSame: (other, renaming) => isSameBug(other, this.violationAfter(renaming)),
      repeats,
      onOther,
      sharing: helpers && { helpers, violation: () => this.violation },
    });
  }

  private noteOther(other: Failing): void {
    const { fingerprint } = other.violation;
    if (!this.others.has(fingerprint)) this.others.set(fingerprint, other);
  }

  /** The simplest failing execution so far. */
  get best(): Failing {
    if (this.found === undefined) throw new Error('nothing has been executed yet');
    return this.found;
  }

  get seconds(): number {
    return (performance.now() - this.beganMs) / 1000;
  }

  /** Whether the time limit is reached, where executions take their time. */
  private readonly isTimeOver = (): boolean => this.live !== undefined && this.seconds >= this.limits.seconds;

  get isOver(): boolean {
    const { schedules, seconds, signal } = this.limits;
    return signal?.aborted === true || this.trials.schedules >= schedules || this.seconds >= seconds;
  }

  async run(names: readonly string[]): Promise<Certificate | undefined> {
    const passes = names.map((name) => ({ name, pass: parsePass(name) }));
    const isCertified = this.certifying.every((name) => names.includes(name));
    const plain = passes.filter(({ name }) => !escapingPasses.includes(name));
    if (!(await this.runUntilFixpoint(plain))) return undefined;
    const proof = isCertified && this.repeats === undefined ? await this.proveShortest(plain) : 'unknown';
    if (proof !== 'unknown') return proof === 'none' ? 'shortest' : undefined;
    const isSettled = plain.length === passes.length || (await this.runUntilFixpoint(passes));
    if (!isSettled || !isCertified || !this.isEveryVerdictKnown) return undefined;
    return this.repeats === undefined ? '1-minimal' : '1-minimal up to the stated error';
  }

  /** Whether a shorter execution exists. If one is found, minimizes it and asks again, within the budget. */
  private async proveShortest(passes: readonly NamedPass[]): Promise<'none' | 'unknown' | 'spent'> {
    for (;;) {
      const shorter = await this.lookForShorter();
      if (shorter !== 'found') return shorter;
      if (!(await this.runUntilFixpoint(passes))) return 'spent';
    }
  }

  /** Runs the passes until a whole round finds nothing; false if the budget ended first. */
  private async runUntilFixpoint(passes: readonly NamedPass[]): Promise<boolean> {
    for (let before; before !== this.best;) {
      before = this.best;
      this.isEveryVerdictKnown = true;
      for (const { name, pass } of passes) if (!(await this.runPass(name, pass))) return false;
    }
    return true;
  }

  /** Looks for a shorter execution with the same externals, which then becomes the best. */
  private async lookForShorter(): Promise<Shorter['kind']> {
    if (this.limits.proofStates === 0) return 'unknown';
    this.pass = 'shortest';
    await this.listener.scheduleTried();
    const { shorter, others } = await this.shortestProof.search(this.best, () => this.isOver);
    for (const events of others) await this.trials.test(exactCandidate(events));
    if (shorter.kind === 'found') {
      const { failing } = await this.trials.test(exactCandidate(shorter.events));
      if (failing === undefined) throw new Error('an execution that was just made cannot be made again');
      this.accept(failing);
    }
    this.stages.push(stageOf(this, this.pass));
    return shorter.kind;
  }

  /** The inputs of the original execution, and those that are left. */
  get inputs(): NonNullable<Minimized['inputs']> {
    const { initial, best } = this;
    return { recorded: inputCounts(initial, best.rules), left: inputCounts(best.events, best.rules) };
  }

  /** Which messages passed in the replays of the original execution. */
  get passing(): readonly PassingReport[] {
    return this.live?.waits.passingIn(this.initial) ?? [];
  }

  /** Replays the original execution exactly, and collects what the passes need to know about it. */
  async verify(): Promise<Reproduction> {
    await this.replayInitial();
    if (this.found === undefined && this.live?.waits.useOtherRules(this.initial, this.reproduction.replays) === true)
      await this.replayInitial();
    if (this.found === undefined) return this.reproduction;
    this.measured = this.found;
    this.trials.rebase(this.found);
    this.notePoint();
    this.stages.push(stageOf(this, this.pass));
    return this.reproduction;
  }

  private async replayInitial(): Promise<void> {
    await this.trials.repeatedly(this.initial, async (next) => {
      const again = async (): Promise<Answer> => {
        const answer = await next();
        this.found ??= answer.failing;
        return answer;
      };
      if (this.repeats !== undefined) this.reproduction = await this.repeats.measure(again, this.isTimeOver);
      else if ((await again()).failing === undefined) throw new NotRepeated();
    });
  }

  /** Replays the best execution this often, each time from the start; once the time is up, not again. */
  async confirm(replays: number): Promise<void> {
    let done = 0;
    await this.trials.repeatedly(this.best.events, async (next) => {
      do {
        if ((await next()).failing === undefined) throw new NotRepeated();
        done += 1;
      } while (done < replays && this.seconds < this.limits.seconds);
    });
    this.reproduction = { rate: 1, replays: done };
  }

  /** Measures the rate of the best execution, with which candidates are compared. */
  async measure(): Promise<void> {
    const { repeats } = this;
    if (repeats === undefined || this.measured === this.best) return;
    this.measured = this.best;
    this.reproduction = await this.trials.repeatedly(this.best.events, (next) =>
      repeats.measure(next, this.isTimeOver),
    );
  }

  /**
   * Where events appear by themselves: the violation may need no input at all, or no fault. Says how often it happened without them;
   * an execution that is violated without them is the best so far.
   */
  async control(): Promise<void> {
    this.pass = 'control';
    for (const control of controlsOf(this.best)) {
      const answer = await this.unlessOver(this.trials.test(control.candidate));
      if (answer === undefined) return;
      const { replays = 0, reproduced = 0, unknown = 0 } = answer.counts ?? {};
      this.controls.push({ without: control.without, replays, reproduced, unknown });
      if (answer.failing !== undefined) this.accept(answer.failing);
      await this.listener.scheduleTried();
      if (answer.failing !== undefined) break;
    }
    this.stages.push(stageOf(this, this.pass));
  }

  /**
   * The violation did not happen again: the best execution is replayed without the events that did not appear, for which each replay
   * waited. Says how many these are, if the violation happens then.
   */
  async measureWithoutAbsent(): Promise<number> {
    const { repeats, live, best } = this;
    const absent = live?.waits.knownOf(best.events, best.events).absent ?? new Set();
    if (repeats === undefined || absent.size === 0) return 0;
    const rest = best.events.filter((_, at) => !absent.has(at));
    let failing: Failing | undefined;
    const again = (next: () => Promise<Answer>) => async (): Promise<Answer> => {
      const answer = await next();
      failing ??= answer.failing;
      return answer;
    };
    const reproduction = await this.trials.repeatedly(rest, (next) => repeats.measure(again(next), this.isTimeOver));
    if (failing === undefined) return 0;
    this.reproduction = reproduction;
    this.found = failing;
    return absent.size;
  }

  /** The result of an execution; undefined if the budget is spent before. */
  private async unlessOver<T>(work: Promise<T>): Promise<T | undefined> {
    if (this.live === undefined) return await work;
    let timer: NodeJS.Timeout | undefined;
    const over = new Promise<undefined>((resolve) => {
      timer = setInterval(() => this.isOver && resolve(undefined), OVER_LOOK_MS);
    });
    try {
      const result = await Promise.race([work, over]);
      if (result === undefined) this.trials.clear();
      return result;
    } catch (error) {
      if (error instanceof GivenUp) return undefined;
      throw error;
    } finally {
      clearInterval(timer);
      work.catch(() => undefined);
    }
  }

  /** Runs one pass; false if the budget ended first. */
  private async runPass(name: string, pass: Pass): Promise<boolean> {
    this.pass = name;
    if (!isQuickPass(name)) await this.measure();
    const asking = pass(this.best);
    let step = asking.next();
    while (step.done !== true && !this.isOver) {
      const answer = await this.unlessOver(this.trials.test(step.value));
      if (answer === undefined) break;
      if (answer.failing !== undefined && answer.isTentative !== true) this.accept(answer.failing, step.value.renaming);
      if (answer.isUnknown && this.certifying.includes(name)) this.isEveryVerdictKnown = false;
      await this.listener.scheduleTried();
      step = asking.next(answer);
    }
    const leftOut = whyLeftOut(name, this.best.rules);
    this.stages.push({ ...stageOf(this, name), ...(leftOut === undefined ? {} : { leftOut }) });
    return step.done === true;
  }

  private accept(failing: Failing, renaming?: Renaming): void {
    if (!this.isSimplerThanBest(failing)) return;
    const before = this.best.events.length;
    this.found = failing;
    if (failing.events.length < before) this.notePoint();
    if (renaming !== undefined) this.rename(renaming);
    this.trials.rebase(failing);
  }

  /** Where events appear by themselves, externals are minimized: how many events follow from them is not ours to choose. */
  private isSimplerThanBest(failing: Failing): boolean {
    if (this.isControlled) return isSimpler(failing, this.best);
    const { events } = this.best;
    const fewer = externalsIn(events) - externalsIn(failing.events) || waitsIn(events) - waitsIn(failing.events);
    return fewer > 0 || (fewer === 0 && isSimpler(failing, this.best));
  }

  private notePoint(): void {
    this.shrinkCurve.push([this.trials.schedules, this.best.events.length]);
  }

  /** From now on, the violation is about processes with new names. */
  private rename(renaming: Renaming): void {
    this.violation = this.violationAfter(renaming);
    this.trials.clear();
  }

  private violationAfter(renaming: Renaming | undefined): Violated {
    return renaming === undefined ? this.violation : renamedViolation(this.violation, renaming);
  }
}

const stageOf = ({ best, trials, seconds }: Minimizer, pass: string): Stage => ({
  pass,
  events: best.events.length,
  externals: externalsIn(best.events),
  schedules: trials.schedules,
  seconds,
});

/** The number of externals that no action caused. A wait is none of the inputs of a system: it only lets time pass. */
export const externalsIn = (events: readonly Event[]): number =>
  events.filter((event) => isOwn(event, events) && event.kind !== 'wait').length;

const waitsIn = (events: readonly Event[]): number => events.filter(({ kind }) => kind === 'wait').length;

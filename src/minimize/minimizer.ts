import { isOwn } from './passes/groups.ts';
import { renamedViolation, type Renaming } from './passes/renaming.ts';
import { NotRepeated } from '../execution/prefix-sessions.ts';
import type { RepeatedTrials, Reproduction } from './flaky.ts';
import { isSameBug } from '../execution/same-bug.ts';
import type { Answer, Failing, Pass } from './pass.ts';
import { certifyingPasses, escapingPasses, certifyingUncontrolled, parsePass, whyLeftOut } from './pass-registry.ts';
import type { WaitingReplays } from '../execution/waiting-replay.ts';
import { isSimpler } from './passes/simpler.ts';
import type { Certificate, Stage } from './report.ts';
import type { Shorter } from './shorter-execution.ts';
import { rulesOf } from './rules.ts';
import { ShortestProof } from './shortest-proof.ts';
import type { Origin } from '../execution/record.ts';
import { judgeFor } from '../execution/judge-for-violation.ts';
import { targetOf } from '../hosts/target.ts';
import type { Event } from '../trace/event.ts';
import type { Violated } from '../trace/verdict.ts';
import { exactCandidate, TrialRunner } from './trial-runner.ts';

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
  readonly trials: TrialRunner;
  readonly shortestProof: ShortestProof;
  pass = 'verify';
  /** How often replays of the best execution failed, as far as measured. */
  reproduction: Reproduction = { rate: 1, replays: 1 };
  /** Whether every removal in this round is known not to fail. */
  private isEveryVerdictKnown = true;
  private measured: Failing | undefined;
  private found: Failing | undefined;
  private readonly beganMs = performance.now();
  private readonly isControlled: boolean;

  constructor(
    origin: Origin,
    private readonly initial: readonly Event[],
    private violation: Violated,
    private readonly limits: MinimizeLimits,
    private readonly listener: MinimizeListener,
    /** Set if the system is not deterministic. */
    private readonly repeats?: RepeatedTrials,
    /** Set where events appear by themselves. */
    waits?: WaitingReplays,
  ) {
    this.isControlled = origin.system.guarantees.controlled;
    this.shortestProof = new ShortestProof(origin, (other) => isSameBug(other, this.violation), limits.proofStates);
    this.trials = new TrialRunner({
      target: targetOf(origin.system),
      ...judgeFor(origin, violation),
      seed: origin.seed,
      contentOf: origin.system.hints.contentOf,
      rules: rulesOf(origin.system, origin.seed, violation),
      isSame: (other, renaming) => isSameBug(other, this.violationAfter(renaming)),
      repeats,
      waits,
      onOther: (other) => {
        const { fingerprint } = other.violation;
        if (!this.others.has(fingerprint)) this.others.set(fingerprint, other);
      },
    });
  }

  /** The simplest failing execution so far. */
  get best(): Failing {
    if (this.found === undefined) throw new Error('nothing has been executed yet');
    return this.found;
  }

  get seconds(): number {
    return (performance.now() - this.beganMs) / 1000;
  }

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

  private get certifying(): readonly string[] {
    return this.isControlled ? certifyingPasses : certifyingUncontrolled;
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

  /** Replays the original execution exactly, and collects what the passes need to know about it. */
  async verify(): Promise<Reproduction> {
    const again = async (): Promise<Answer> => {
      const answer = await this.trials.replay({ events: this.initial });
      this.found ??= answer.failing;
      return answer;
    };
    if (this.repeats !== undefined) this.reproduction = await this.repeats.measure(again);
    else if ((await again()).failing === undefined) throw new NotRepeated();
    if (this.found === undefined) return this.reproduction;
    this.measured = this.found;
    this.trials.rebase(this.found);
    this.notePoint();
    this.stages.push(stageOf(this, this.pass));
    return this.reproduction;
  }

  /** Replays the best execution this often, each time from the start; once the time is up, not again. */
  async confirm(replays: number): Promise<void> {
    let done = 0;
    do {
      if ((await this.trials.replay(this.best)).failing === undefined) throw new NotRepeated();
      done += 1;
    } while (done < replays && this.seconds < this.limits.seconds);
    this.reproduction = { rate: 1, replays: done };
  }

  /** Measures the rate of the best execution, with which candidates are compared. */
  async measure(): Promise<void> {
    if (this.repeats === undefined || this.measured === this.best) return;
    this.measured = this.best;
    this.reproduction = await this.repeats.measure(() => this.trials.replay(this.best));
  }

  /** Runs one pass; false if the budget ended first. */
  private async runPass(name: string, pass: Pass): Promise<boolean> {
    this.pass = name;
    await this.measure();
    const asking = pass(this.best);
    let step = asking.next();
    while (step.done !== true && !this.isOver) {
      const answer = await this.trials.test(step.value);
      if (answer.failing !== undefined) this.accept(answer.failing, step.value.renaming);
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
    const [now, before] = [externalsIn(failing.events), externalsIn(this.best.events)];
    return now < before || (now === before && isSimpler(failing, this.best));
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

export const externalsIn = (events: readonly Event[]): number => events.filter((event) => isOwn(event, events)).length;

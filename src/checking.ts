import type { CheckBounds, CheckFinding, CheckProgress, CheckReport, Within } from './check.ts';
import { CheckEnded, CheckHangs } from './check-ended.ts';
import { CheckedPlan } from './checked-plan.ts';
import { CulpritError } from './error.ts';
import { ReplayDiverged } from './explore/replay.ts';
import { faultPlans, faultsOf, largestPlans, type FaultPlan } from './explore/systematic/fault-plans.ts';
import { Observed } from './explore/systematic/observed.ts';
import { TimedOut } from './kernel/guard.ts';
import { driveInTurns, type Steps } from './kernel/loop.ts';
import { Jury } from './jury.ts';
import { diagnosed } from './not-deterministic.ts';
import { plural } from './plural.ts';
import { heuristics, reductionsOf, symmetryOf } from './policies.ts';
import { record, type Origin } from './record.ts';
import { Audit } from './reduce/audited.ts';
import { isFirstOfItsKind } from './reduce/symmetry.ts';
import { refutedRule } from './refuted-rule.ts';
import { reproduce } from './replay.ts';
import { kindOf } from './searches.ts';
import { resolveSystem, type ResolvedSystem } from './targets/actors/resolve.ts';
import type { System } from './targets/actors/system.ts';
import type { Event } from './trace/event.ts';
import type { Trace } from './trace/format.ts';

/** Without `audit`, one claim in so many is looked at. */
const AUDITED_EVERY = 100;

/** How often to tell how it is getting on. */
const TELL_MS = 100;

/** Goes through all plans of faults in turns, so that no plan waits for the end of another. */
export class Checking {
  private readonly system: ResolvedSystem;
  private readonly origin: Origin;
  private readonly budget: Pick<Within, 'crashes' | 'restarts' | 'cuts'>;
  private readonly plans: readonly CheckedPlan[];
  private readonly jury: Jury;
  private readonly audit: Audit;
  private readonly findings: CheckFinding[] = [];
  /** The execution that is looked into. */
  private suspect: readonly Event[] = [];
  private toldMs = 0;
  private readonly beganMs = performance.now();
  private isEnded = false;

  constructor(
    system: System,
    private readonly bounds: CheckBounds,
  ) {
    this.system = resolveSystem(system, bounds.set ?? {});
    const { seed, eventsMax, handlerMs, search } = bounds;
    const { declaration, rules } = this.system;
    this.origin = {
      system: this.system,
      module: bounds.module,
      seed,
      strategy: `check:${search}`,
      eventsMax,
      handlerMs,
    };
    const observed = new Observed([...declaration.processes.keys()]);
    this.jury = new Jury(this.origin, observed);
    this.audit = new Audit(bounds.audit ? 1 : AUDITED_EVERY);
    const { crashes, restarts, cuts } = { ...declaration.faults, ...bounds.faults };
    this.budget = { crashes, restarts, cuts };
    const limits = { preemptionsMax: bounds.preemptions, executionsMax: bounds.executions };
    this.plans = this.plansWithin().map((faults) => {
      // What is familiar in one plan may have another future in the next.
      const reductions = () => reductionsOf(bounds.reduce, rules).map((reduction) => this.audit.over(reduction));
      return new CheckedPlan({
        origin: this.origin,
        faults,
        jury: this.jury,
        observed,
        reductions,
        search,
        eventsMax,
        ...limits,
      });
    });
  }

  private plansWithin(): FaultPlan[] {
    const { declaration, rules } = this.system;
    const groups = symmetryOf(this.bounds.reduce, rules);
    const all = faultPlans([...declaration.processes.keys()], this.budget).filter(({ threads }) =>
      isFirstOfItsKind(groups, (process) => threads.find(({ name }) => name === faultsOf(process))?.items.length ?? 0),
    );
    return this.jury.judgesEnds ? all : largestPlans(all);
  }

  async run(): Promise<CheckReport> {
    try {
      for (let quota = 1; !this.isOver; quota *= 2) {
        for (const plan of this.plans) {
          if (plan.isDone || this.isOver) continue;
          await this.goOn(plan, plan.executions + quota);
        }
      }
    } catch (error) {
      return this.giveUp(error);
    }
    return this.report();
  }

  /** Whatever was found before is kept. */
  private async giveUp(given: unknown): Promise<never> {
    const { handlerMs } = this.bounds;
    const error = await diagnosed(given, this.origin, this.suspect);
    if (error instanceof TimedOut) throw new CheckEnded(this.report(), new CheckHangs(handlerMs, this.origin.module));
    throw error instanceof CulpritError ? new CheckEnded(this.report(), error) : error;
  }

  private get isOver(): boolean {
    return this.isEnded || this.plans.every(({ isDone }) => isDone);
  }

  /** One plan, until it has so many executions. */
  private async goOn(plan: CheckedPlan, until: number): Promise<void> {
    while (!plan.isDone && plan.executions < until && !this.isOver) {
      await driveInTurns(this.untilNews(plan, until), this.bounds.handlerMs);
      // The first execution is looked at in any case: it must come out the same.
      if (this.suspect.length === 0 && this.jury.first !== undefined) await this.again(this.jury.first);
      for (const events of this.jury.takeViolations()) await this.keep(events);
      if (this.findings.length >= this.bounds.violations) this.isEnded = true;
    }
  }

  private *untilNews(plan: CheckedPlan, until: number): Steps<void> {
    while (!plan.isDone && plan.executions < until && !this.isOver) {
      yield* plan.next();
      this.lookAtBudget();
      if (this.suspect.length === 0 || this.jury.hasViolations) return;
      if (this.elapsedMs - this.toldMs < TELL_MS) continue;
      this.toldMs = this.elapsedMs;
      this.bounds.onProgress?.(this.progress());
      yield undefined;
    }
  }

  private async keep(events: readonly Event[]): Promise<void> {
    const trace = await this.again(events);
    if (trace.verdict.verdict !== 'violated')
      throw new ReplayDiverged(trace.events.length, 'something was violated, and executed again it was not.');
    this.findings.push({ trace, executions: this.executions });
  }

  /** Executes it again to write it down, and once more to see that it comes out the same. */
  private async again(events: readonly Event[]): Promise<Trace> {
    this.suspect = events;
    return reproduce(this.origin, await record(this.origin, events));
  }

  private lookAtBudget(): void {
    const { executions, seconds, signal } = this.bounds;
    if (this.executions >= executions || this.elapsedMs >= seconds * 1000 || signal?.aborted === true)
      this.isEnded = true;
  }

  private get executions(): number {
    return this.plans.reduce((sum, plan) => sum + plan.executions, 0);
  }

  private get elapsedMs(): number {
    return performance.now() - this.beganMs;
  }

  private progress(): CheckProgress {
    const { executions, seconds } = this.bounds;
    const share = this.plans.reduce((sum, plan) => sum + plan.share, 0) / this.plans.length;
    return {
      executions: this.executions,
      executionsMax: executions,
      secondsMax: seconds,
      events: this.plans.reduce((sum, plan) => sum + plan.events, 0),
      plansDone: this.plans.filter(({ isDone }) => isDone).length,
      plans: this.plans.length,
      share,
      elapsedMs: this.elapsedMs,
    };
  }

  private report(): CheckReport {
    const { executions, events, plansDone, plans, share } = this.progress();
    const pruned: Record<string, number> = {};
    for (const plan of this.plans)
      for (const [policy, count] of plan.pruned) pruned[policy] = (pruned[policy] ?? 0) + count;
    const cut = this.plans.reduce((sum, plan) => sum + plan.cut, 0);
    const whyUnknown = this.whyUnknown(cut, pruned);
    const verdict = this.findings.length > 0 ? 'violated' : whyUnknown.length > 0 ? 'unknown' : 'holds';
    return {
      verdict,
      within: this.within(),
      leftOut: this.leftOut(),
      whyUnknown: verdict === 'unknown' ? whyUnknown : [],
      provided: this.provided(),
      findings: this.findings,
      executions,
      redundant: this.plans.reduce((sum, plan) => sum + plan.redundant, 0),
      cut,
      pruned,
      events,
      plansDone,
      plans,
      share,
      claims: this.audit.claims,
      audited: this.audit.audited,
      refuted: this.audit.refuted.map(refutedRule),
      seconds: this.elapsedMs / 1000,
    };
  }

  /** Faults that the system declares, and the search knows nothing of. */
  private leftOut(): ('losses' | 'duplicates')[] {
    const kind = kindOf[this.bounds.search];
    if (kind === 'exhaustive' || kind === 'stateful') return [];
    return (['losses', 'duplicates'] as const).filter((fault) => this.system.declaration.faults[fault] > 0);
  }

  private within(): Within {
    const { eventsMax: events, seed } = this.bounds;
    return { ...this.budget, events, ...(this.system.isDrawn ? { seed } : {}) };
  }

  private whyUnknown(cut: number, pruned: Readonly<Record<string, number>>): string[] {
    const { eventsMax } = this.bounds;
    const isLeft = this.plans.some(({ isComplete }) => !isComplete);
    const { search } = this.bounds;
    // Where everything is gone through, what is longer than allowed is out of bounds, and not left out.
    const isBound = kindOf[search] === 'exhaustive' || kindOf[search] === 'stateful';
    const ended = this.bounds.signal?.aborted === true ? 'it was interrupted' : 'the budget was spent';
    const astray = this.plans.reduce((sum, plan) => sum + plan.astray, 0);
    return [
      ...(isLeft ? [`${ended} before everything had been explored`] : []),
      ...(cut === 0 || isBound
        ? []
        : [`${plural(cut, 'execution')} had not ended after ${plural(eventsMax, 'event')}`]),
      ...Object.entries(pruned).map(([policy, count]) => `${policy} left something out, ${plural(count, 'time')}`),
      ...(astray === 0 ? [] : [`some rule is wrong: what had to be possible was not, ${plural(astray, 'time')}`]),
      ...(search === 'flips' && this.system.plan(this.bounds.seed).items.some(({ kind }) => kind === 'wait')
        ? ['flips may miss some orders where the workload waits for something']
        : []),
      ...(this.system.plan(this.bounds.seed).triggers.length === 0 ? [] : ['triggers are not pulled by a check']),
      ...(kindOf[search] === 'stateful' && this.jury.remembers
        ? ['what happened before a world counts for an oracle, and only one way to each world was looked at']
        : []),
      ...this.audit.refuted.map(({ rule }) => `the rule for ${rule} is wrong`),
      ...(this.jury.whyUnknown === undefined ? [] : [this.jury.whyUnknown]),
    ];
  }

  private provided(): string[] {
    const trusted = this.bounds.reduce.filter((policy) => !heuristics.includes(policy));
    return trusted.map((policy) =>
      policy === 'symmetry'
        ? 'symmetry: the processes of a group are interchangeable'
        : `${policy}: what is independent in one world is so wherever it matters`,
    );
  }
}

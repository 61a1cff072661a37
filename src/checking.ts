import type { CheckBounds, CheckFinding, CheckProgress, CheckReport } from './check.ts';
import { CheckedPlan } from './checked-plan.ts';
import { faultPlans, faultsOf, largestPlans, type FaultPlan } from './explore/systematic/fault-plans.ts';
import { Observed } from './explore/systematic/observed.ts';
import { driveInTurns, type Steps } from './kernel/loop.ts';
import { Jury } from './jury.ts';
import type { Faults } from './kernel/declaration.ts';
import { heuristics, reductionsOf, symmetryOf } from './policies.ts';
import { record, type Origin } from './record.ts';
import { Audit } from './reduce/audited.ts';
import { isFirstOfItsKind } from './reduce/symmetry.ts';
import { refutedRule } from './refuted-rule.ts';
import { resolveSystem, type ResolvedSystem } from './targets/actors/resolve.ts';
import type { System } from './targets/actors/system.ts';
import type { Event } from './trace/event.ts';

/** Without `audit`, one claim in so many is looked at. */
const AUDITED_EVERY = 100;

/** How often to tell how it is getting on. */
const TELL_MS = 100;

/** Goes through all plans of faults in turns, so that no plan waits for the end of another. */
export class Checking {
  private readonly system: ResolvedSystem;
  private readonly origin: Origin;
  private readonly plans: readonly CheckedPlan[];
  private readonly jury: Jury;
  private readonly audit: Audit;
  private readonly findings: CheckFinding[] = [];
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
    const budget = { ...declaration.faults, ...bounds.faults };
    this.plans = this.plansWithin(budget).map((faults) => {
      // What is familiar in one plan may have another future in the next.
      const reductions = reductionsOf(bounds.reduce, rules).map((reduction) => this.audit.over(reduction));
      return new CheckedPlan({ origin: this.origin, faults, jury: this.jury, observed, reductions, search, eventsMax });
    });
  }

  private plansWithin(budget: Faults): FaultPlan[] {
    const { declaration, rules } = this.system;
    const groups = symmetryOf(this.bounds.reduce, rules);
    const all = faultPlans([...declaration.processes.keys()], budget).filter(({ threads }) =>
      isFirstOfItsKind(groups, (process) => threads.find(({ name }) => name === faultsOf(process))?.items.length ?? 0),
    );
    return this.jury.judgesEnds ? all : largestPlans(all);
  }

  async run(): Promise<CheckReport> {
    for (let quota = 1; !this.isOver; quota *= 2) {
      for (const plan of this.plans) {
        if (plan.isDone || this.isOver) continue;
        await driveInTurns(this.goOn(plan, quota), this.bounds.handlerMs);
      }
    }
    return this.report();
  }

  private get isOver(): boolean {
    return this.isEnded || this.plans.every(({ isDone }) => isDone);
  }

  /** So many executions of one plan. */
  private *goOn(plan: CheckedPlan, quota: number): Steps<void> {
    const until = plan.executions + quota;
    while (!plan.isDone && plan.executions < until && !this.isOver) {
      yield* plan.next();
      yield* this.keepViolations();
      this.lookAtBudget();
      if (this.elapsedMs - this.toldMs < TELL_MS) continue;
      this.toldMs = this.elapsedMs;
      this.bounds.onProgress?.(this.progress());
      yield undefined;
    }
  }

  private *keepViolations(): Steps<void> {
    for (const events of this.jury.takeViolations()) {
      let failed: unknown;
      yield this.keep(events).catch((error: unknown) => {
        failed = error;
      });
      if (failed !== undefined) throw failed as Error;
      if (this.findings.length >= this.bounds.violations) this.isEnded = true;
    }
  }

  private async keep(events: readonly Event[]): Promise<void> {
    this.findings.push({ trace: await record(this.origin, events), executions: this.executions });
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

  private whyUnknown(cut: number, pruned: Readonly<Record<string, number>>): string[] {
    const { eventsMax } = this.bounds;
    const left = this.plans.filter(({ isDone }) => !isDone).length;
    const astray = this.plans.reduce((sum, plan) => sum + plan.astray, 0);
    return [
      ...(left === 0 ? [] : [`the budget was spent before everything had been explored`]),
      ...(cut === 0 ? [] : [`${cut} executions were cut after ${eventsMax} events`]),
      ...Object.entries(pruned).map(([policy, count]) => `${count} times, ${policy} left something out`),
      ...(astray === 0 ? [] : [`${astray} times, an event that should have been possible was not: some rule is wrong`]),
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

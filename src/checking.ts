import type { CheckBounds, CheckFinding, CheckProgress, CheckReport, RefutedRule, Within } from './check.ts';
import { doubtsIn, providedIn } from './check-doubts.ts';
import { CheckEnded, CheckHangs } from './check-ended.ts';
import { CheckedPlan } from './checked-plan.ts';
import { mustBeAbout, mustFit, type SavedCheck } from './checkpoint.ts';
import { CulpritError } from './error.ts';
import { ReplayDiverged } from './explore/replay.ts';
import { faultPlans, faultsOf, largestPlans, type FaultPlan } from './explore/systematic/fault-plans.ts';
import { Observed } from './explore/systematic/observed.ts';
import { TimedOut } from './kernel/guard.ts';
import { driveInTurns, type Steps } from './kernel/loop.ts';
import { Jury } from './jury.ts';
import { NowAndThen } from './now-and-then.ts';
import { diagnosed } from './not-deterministic.ts';
import { reductionsOf, symmetryOf } from './policies.ts';
import { record, type Origin } from './record.ts';
import { Audit } from './reduce/audited.ts';
import { isFirstOfItsKind } from './reduce/symmetry.ts';
import { refutedRule } from './refuted-rule.ts';
import { reproduce } from './replay.ts';
import { kindOf } from './searches.ts';
import { resolveSystem, type ResolvedSystem } from './targets/actors/resolve.ts';
import type { System } from './targets/actors/system.ts';
import type { Event } from './trace/event.ts';
import { readTrace, writeTrace } from './trace/file.ts';
import type { Trace } from './trace/format.ts';
import { version } from './version.ts';

/** Without `audit`, one claim in so many is looked at. */
const AUDITED_EVERY = 100;

/** How often to tell how it is getting on. */
const TELL_MS = 100;

/** How often to save, at most, and how rarely where that takes long. */
const SAVE_MS = 5_000;
const SAVING_PARTS = 20;

/** Goes through all plans of faults in turns, so that no plan waits for the end of another. */
export class Checking {
  private readonly system: ResolvedSystem;
  private readonly origin: Origin;
  private readonly budget: Pick<Within, 'crashes' | 'restarts' | 'cuts'>;
  private readonly plans: readonly CheckedPlan[];
  private readonly observed: Observed;
  private readonly jury: Jury;
  private readonly audit: Audit;
  private readonly findings: CheckFinding[] = [];
  private refutedBefore: readonly RefutedRule[] = [];
  /** The execution that is looked into. */
  private suspect: readonly Event[] = [];
  private isProbed = false;
  /** What was spent before it was gone on with. */
  private executionsBefore = 0;
  private beforeMs = 0;
  private readonly saving = new NowAndThen(SAVE_MS, SAVING_PARTS);
  /** Whose turn it is, until it has how many executions, and how many it was given. */
  private turn = { plan: 0, until: 1, quota: 1 };
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
    const observed = (this.observed = new Observed([...declaration.processes.keys()]));
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
    if (this.bounds.from !== undefined) await this.restore(this.bounds.from);
    try {
      while (!this.isOver) {
        await this.goOn(this.plans[this.turn.plan] as CheckedPlan, this.turn.until);
        if (!this.isOver) this.passOn();
      }
    } catch (error) {
      return this.giveUp(error);
    }
    const { onSave, violations } = this.bounds;
    const isLeft = this.plans.some(({ isDone }) => !isDone) && this.findings.length < violations;
    onSave?.(isLeft ? this.save() : undefined);
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

  /** When all have had their turn, each gets twice as many. */
  private passOn(): void {
    const plan = (this.turn.plan + 1) % this.plans.length;
    const quota = plan === 0 ? 2 * this.turn.quota : this.turn.quota;
    this.turn = { plan, quota, until: (this.plans[plan] as CheckedPlan).executions + quota };
  }

  /** One plan, until it has so many executions. */
  private async goOn(plan: CheckedPlan, until: number): Promise<void> {
    while (!plan.isDone && plan.executions < until && !this.isOver) {
      await driveInTurns(this.untilNews(plan, until), this.bounds.handlerMs);
      // The first execution is looked at in any case: it must come out the same.
      if (!this.isProbed && this.jury.first !== undefined) await this.again(this.jury.first);
      this.isProbed = true;
      for (const events of this.jury.takeViolations()) await this.keep(events);
      if (this.findings.length >= this.bounds.violations) this.isEnded = true;
      this.saveNowAndThen();
    }
  }

  private saveNowAndThen(): void {
    if (!this.isTimeToSave || this.isEnded) return;
    const fromMs = this.elapsedMs;
    this.bounds.onSave?.(this.save());
    this.saving.wasDone(fromMs, this.elapsedMs);
  }

  private get isTimeToSave(): boolean {
    return this.bounds.onSave !== undefined && this.saving.isTime(this.elapsedMs);
  }

  private save(): SavedCheck {
    const { whyUnknown, fingerprints } = this.jury;
    return {
      about: this.about,
      turn: this.turn,
      plans: this.plans.map((plan) => plan.save()),
      observed: this.observed.save(),
      ...(whyUnknown === undefined ? {} : { whyUnknown }),
      fingerprints: [...fingerprints],
      findings: this.findings.map(({ trace, executions }) => ({ trace: writeTrace(trace), executions })),
      claims: this.audit.claims,
      audited: this.audit.audited,
      refuted: this.refuted,
      elapsedMs: this.elapsedMs,
    };
  }

  private async restore(saved: SavedCheck): Promise<void> {
    mustBeAbout(this.about, saved.about);
    this.observed.restore(saved.observed);
    if (saved.whyUnknown !== undefined) this.jury.whyUnknown = saved.whyUnknown;
    for (const fingerprint of saved.fingerprints) this.jury.fingerprints.add(fingerprint);
    for (const { trace, executions } of saved.findings)
      this.findings.push({ trace: readTrace(trace, 'what was saved'), executions });
    for (const [at, plan] of saved.plans.entries())
      await driveInTurns((this.plans[at] as CheckedPlan).restore(plan), this.bounds.handlerMs).catch(mustFit);
    const { claims, audited, turn } = saved;
    this.turn = { ...turn };
    this.isProbed = true;
    Object.assign(this.audit, { claims, audited });
    this.refutedBefore = saved.refuted;
    this.executionsBefore = this.executions;
    this.beforeMs = saved.elapsedMs;
    this.saving.wasDone(this.elapsedMs, this.elapsedMs);
  }

  /** What makes two checks the same one. */
  private get about(): SavedCheck['about'] {
    const { search, reduce, audit, seed } = this.bounds;
    const { parameters } = this.system;
    const { module } = this.origin;
    return { culprit: version, system: module, parameters, ...this.within(), seed, search, reduce, audit };
  }

  private get refuted(): RefutedRule[] {
    const before = this.refutedBefore;
    const now = this.audit.refuted.filter(({ rule }) => before.every((known) => known.rule !== rule));
    return [...before, ...now.map(refutedRule)];
  }

  private *untilNews(plan: CheckedPlan, until: number): Steps<void> {
    while (!plan.isDone && plan.executions < until && !this.isOver) {
      yield* plan.next();
      this.lookAtBudget();
      if (!this.isProbed || this.jury.hasViolations || this.isTimeToSave) return;
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
    const [spent, spentMs] = [this.executions - this.executionsBefore, this.elapsedMs - this.beforeMs];
    if (spent >= executions || spentMs >= seconds * 1000 || signal?.aborted === true) this.isEnded = true;
  }

  private get executions(): number {
    return this.plans.reduce((sum, plan) => sum + plan.executions, 0);
  }

  private get elapsedMs(): number {
    return this.beforeMs + performance.now() - this.beganMs;
  }

  private progress(): CheckProgress {
    const { executions, seconds } = this.bounds;
    const share = this.plans.reduce((sum, plan) => sum + plan.share, 0) / this.plans.length;
    return {
      executions: this.executions,
      executionsMax: executions + this.executionsBefore,
      secondsMax: seconds + this.beforeMs / 1000,
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
    const checked = {
      system: this.system,
      bounds: this.bounds,
      plans: this.plans,
      jury: this.jury,
      refuted: this.refuted,
    };
    const whyUnknown = doubtsIn(checked);
    const verdict = this.findings.length > 0 ? 'violated' : whyUnknown.length > 0 ? 'unknown' : 'holds';
    return {
      verdict,
      within: this.within(),
      leftOut: this.leftOut(),
      whyUnknown: verdict === 'unknown' ? whyUnknown : [],
      provided: providedIn(checked),
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
      refuted: this.refuted,
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
}

import { isShared, type CheckBounds } from './options.ts';
import type { CheckProgress, CheckReport, EstimatedReduction, Within } from './report.ts';
import { reasonsUnknown, assumptionsOf } from './soundness.ts';
import { CheckEnded, CheckHangs } from './check-ended.ts';
import type { FaultPlanSearch } from './fault-plan-search.ts';
import { mustBeAbout, mustBeUnchanged, mustBeWhole, mustFit, sealed, type SavedCheck } from './checkpoint.ts';
import { CulpritError } from '../error.ts';
import { PlanExplorer } from './plan-explorer.ts';
import { StaleCheckpoint } from './search/saved.ts';
import { GivenUp, overdue } from '../kernel/user-code/overdue.ts';
import { TimedOut } from '../kernel/user-code/time-limit.ts';
import { askedInVain } from '../kernel/user-code/asking.ts';
import { asCaller } from '../kernel/user-code/async-code.ts';
import { driveAtLength } from '../kernel/drive.ts';
import { endedAfter } from '../kernel/loop.ts';
import { SystemHangs } from '../kernel/errors.ts';
import type { Faults } from '../kernel/declaration.ts';
import { Throttle } from '../kernel/throttle.ts';
import { Stalled } from '../execution/record.ts';
import { diagnosed } from '../determinism/not-deterministic.ts';
import { kindOf } from './searches.ts';
import { Coordinator, type Given, type RemainingBudget } from './parallel/coordinator.ts';
import { mustGuarantee } from '../kernel/guarantees.ts';
import { resolveSystem } from '../system/resolve.ts';
import type { System } from '../system/definition.ts';
import { readTrace, writeTrace } from '../trace/file.ts';
import { version } from '../files/version.ts';
import { fileForWorkers } from '../workers/worker-pool.ts';

/** The number of executions before workers start: by then, most reads of oracles are known. */
const ALONE = 256;

/** The interval between two progress reports. */
const PROGRESS_MS = 100;

/** The least interval between two checkpoints, and its least ratio to the time that saving takes. */
const SAVE_MS = 5_000;
const SAVING_PARTS = 20;

/** The name of the source in errors about saved traces. */
const SAVED = 'what was saved';

/** Explores all fault plans in turns, so that no plan waits for the end of another; with several workers, in pieces. */
export class Checker {
  private readonly explorer: PlanExplorer;
  /** The executions and the time that the check had spent before it was resumed. */
  private executionsBefore = 0;
  private beforeMs = 0;
  private readonly saveThrottle = new Throttle(SAVE_MS, { parts: SAVING_PARTS });
  /** The plan whose turn it is, the number of executions at which its turn ends, and the size of a turn. */
  private turn = { plan: 0, until: 1, quota: 1 };
  private readonly given: Given;
  private coordinator: Coordinator | undefined;
  private readonly progressThrottle = new Throttle(PROGRESS_MS);
  private readonly beganMs = performance.now();
  private isEnded = false;

  constructor(
    system: System,
    private readonly bounds: CheckBounds,
  ) {
    const resolved = resolveSystem(system, bounds.set ?? {});
    mustGuarantee('check', 'repeatable', resolved.declaration);
    this.explorer = new PlanExplorer(resolved, bounds);
    this.given = { system, file: isShared(bounds) ? fileForWorkers(system, bounds.module) : undefined };
  }

  private get plans(): readonly FaultPlanSearch[] {
    return this.explorer.plans;
  }

  async run(): Promise<CheckReport> {
    if (this.bounds.from !== undefined) await this.restore(this.bounds.from).catch(mustBeWhole);
    const { signal } = this.bounds;
    this.explorer.isOverdue = overdue(() => signal?.aborted === true || this.limits.seconds <= 0);
    try {
      while (!this.isOver) await this.advance();
      await this.coordinator?.joined();
    } catch (error) {
      return await this.giveUp(error);
    } finally {
      await this.coordinator?.end();
    }
    const { onSave, violations } = this.bounds;
    const isLeft = this.plans.some((plan) => !plan.isOver) && this.explorer.findings.length < violations;
    onSave?.(isLeft ? this.save() : undefined);
    return this.report();
  }

  /** Reports everything that was found before the error. */
  private async giveUp(given: unknown): Promise<CheckReport> {
    // Nothing can be saved in the middle of an execution; the last checkpoint is still valid.
    if (given instanceof GivenUp) return this.report();
    // Most of a checkpoint is only verified when its turn comes.
    if (given instanceof StaleCheckpoint) mustFit(given);
    if (given instanceof TimedOut) return await this.giveUpHanging(given);
    const { origin, suspect } = this.explorer;
    const error = await diagnosed(given, origin, suspect);
    throw error instanceof CulpritError ? new CheckEnded(this.report(), error) : error;
  }

  /** A handler that does not return is a violation, which has an execution. */
  private async giveUpHanging(ended: TimedOut): Promise<CheckReport> {
    const { explorer, bounds } = this;
    try {
      if (await explorer.keepHang(ended)) return this.report();
      const asked = askedInVain();
      if (ended.isProven && asked !== undefined) throw new SystemHangs(asked, bounds.handlerMs);
      if (ended.isProven) throw new CheckHangs(bounds.handlerMs, bounds.module);
      explorer.whyEnded = `a handler, or a function that observes states, was ended ${endedAfter(ended)}`;
    } catch (error) {
      if (!(error instanceof CulpritError)) throw error;
      if (!(error instanceof Stalled)) throw new CheckEnded(this.report(), error);
      explorer.whyEnded = error.why;
    }
    return this.report();
  }

  private get isOver(): boolean {
    return this.isEnded || this.plans.every(({ tally }) => tally.isDone);
  }

  private async advance(): Promise<void> {
    if (isShared(this.bounds) && this.executions >= ALONE) this.coordinator ??= this.shared(this.save());
    if (this.coordinator === undefined) await this.takeTurn();
    else await this.coordinator.explore(this.limits, () => this.reportProgress());
    this.lookAtBudget();
    this.saveNowAndThen();
  }

  /** Explores one plan until its turn ends. After all plans had a turn, turns are twice as long. */
  private async takeTurn(): Promise<void> {
    const { plan: at, until, quota } = this.turn;
    const plan = this.plans[at] as FaultPlanSearch;
    await this.explorer.explore(plan, () => {
      this.lookAtBudget();
      this.reportProgress();
      return this.isEnded || plan.tally.executions >= until || this.isTimeToSave;
    });
    if (!plan.tally.isDone && plan.tally.executions < until) return;
    const next = (at + 1) % this.plans.length;
    const twice = next === 0 ? 2 * quota : quota;
    this.turn = { plan: next, quota: twice, until: (this.plans[next] as FaultPlanSearch).tally.executions + twice };
  }

  private shared(saved: Pick<SavedCheck, 'plans' | 'quota'>): Coordinator {
    return new Coordinator(this.given, this.bounds, this.explorer, saved);
  }

  private saveNowAndThen(): void {
    if (!this.isTimeToSave || this.isEnded) return;
    const fromMs = performance.now();
    this.bounds.onSave?.(this.save());
    this.saveThrottle.happened(fromMs);
  }

  private get isTimeToSave(): boolean {
    return this.bounds.onSave !== undefined && this.saveThrottle.isDue;
  }

  private save(): SavedCheck {
    const { verdicts, audit, oracleReads, findings, refuted, probe } = this.explorer;
    const { whyUnknown, fingerprints, violated } = verdicts;
    return sealed({
      about: this.about,
      turn: { ...this.turn },
      ...(this.coordinator?.save() ?? { plans: this.plans.map((plan) => plan.save()) }),
      oracleReads: oracleReads.save(),
      ...(probe === undefined ? {} : { probe: writeTrace(probe) }),
      ...(whyUnknown === undefined ? {} : { whyUnknown }),
      fingerprints: [...fingerprints],
      violated: [...violated],
      findings: findings.map(({ trace, executions }) => ({ trace: writeTrace(trace), executions })),
      claims: audit.claims,
      audited: audit.audited,
      refuted: [...refuted],
      elapsedMs: this.elapsedMs,
    });
  }

  private async restore(saved: SavedCheck): Promise<void> {
    mustBeAbout(this.about, saved.about);
    mustBeUnchanged(saved);
    const { oracleReads, verdicts, audit, findings } = this.explorer;
    oracleReads.restore(saved.oracleReads);
    if (saved.whyUnknown !== undefined) verdicts.whyUnknown = saved.whyUnknown;
    for (const fingerprint of saved.fingerprints) verdicts.fingerprints.add(fingerprint);
    for (const name of saved.violated ?? []) verdicts.violated.add(name);
    for (const { trace, executions } of saved.findings) findings.push({ trace: readTrace(trace, SAVED), executions });
    if (saved.probe !== undefined) await this.explorer.takeOverProbe(readTrace(saved.probe, SAVED)).catch(mustFit);
    this.explorer.addRefuted(saved.refuted);
    // Rules make claims while plans are restored, too.
    await this.restorePlans(saved);
    this.turn = { ...saved.turn };
    audit.claims = saved.claims;
    audit.audited = saved.audited;
    this.executionsBefore = this.executions;
    this.beforeMs = saved.elapsedMs;
    this.saveThrottle.happened();
  }

  private async restorePlans({ plans, quota }: SavedCheck): Promise<void> {
    const wasShared = quota !== undefined;
    for (const [at, { exploration, ...counts }] of plans.entries()) {
      const saved = wasShared || exploration === undefined ? counts : { ...counts, exploration };
      await driveAtLength((this.plans[at] as FaultPlanSearch).restore(saved), this.bounds.handlerMs).catch(mustFit);
    }
    if (wasShared) this.coordinator = this.shared({ plans, quota });
  }

  /** The identity of a check. */
  get about(): SavedCheck['about'] {
    const { search, reduce, audit, seed, preemptions = null } = this.bounds;
    const { system, origin } = this.explorer;
    const { parameters } = system;
    const { module } = origin;
    const bounds = { ...this.within(), seed, preemptions };
    return { culprit: version, system: module, parameters, ...bounds, search, reduce, audit };
  }

  private get limits(): RemainingBudget {
    const { executions, seconds } = this.bounds;
    return {
      executions: executions - (this.executions - this.executionsBefore),
      seconds: Math.max(0, seconds - (this.elapsedMs - this.beforeMs) / 1000),
    };
  }

  private lookAtBudget(): void {
    const { executions, seconds } = this.limits;
    const isFound = this.explorer.findings.length >= this.bounds.violations;
    if (isFound || executions <= 0 || seconds <= 0 || this.bounds.signal?.aborted === true) this.isEnded = true;
  }

  private reportProgress(): void {
    if (!this.progressThrottle.isDue) return;
    this.progressThrottle.happened();
    const { onProgress } = this.bounds;
    if (onProgress !== undefined) asCaller(() => onProgress(this.progress()));
  }

  private get executions(): number {
    return this.explorer.executions;
  }

  private get elapsedMs(): number {
    return this.beforeMs + performance.now() - this.beganMs;
  }

  private progress(): CheckProgress {
    const { executions, seconds } = this.bounds;
    const shares = this.coordinator?.shares ?? this.plans.map(({ share }) => share);
    return {
      executions: this.executions,
      executionsMax: executions + this.executionsBefore,
      secondsMax: seconds + this.beforeMs / 1000,
      events: this.total('events'),
      plansDone: this.plans.filter(({ tally }) => tally.isDone).length,
      plans: this.plans.length,
      share: shares.reduce((sum, share) => sum + share, 0) / shares.length,
      found: this.explorer.findings.length,
      elapsedMs: this.elapsedMs,
      ...(this.coordinator?.fleet === undefined ? {} : { fleet: this.coordinator.fleet }),
    };
  }

  private total(what: 'events' | 'cut' | 'redundant'): number {
    return this.plans.reduce((sum, { tally }) => sum + tally[what], 0);
  }

  private report(): CheckReport {
    const { executions, events, plansDone, plans, share } = this.progress();
    const { findings, audit, refuted } = this.explorer;
    const pruned: Record<string, number> = {};
    for (const { tally } of this.plans)
      for (const [policy, count] of tally.pruned) pruned[policy] = (pruned[policy] ?? 0) + count;
    const whyUnknown = reasonsUnknown(this.explorer, this.bounds);
    const verdict = findings.length > 0 ? 'violated' : whyUnknown.length > 0 ? 'unknown' : 'holds';
    return {
      verdict,
      within: this.within(),
      leftOut: this.leftOut(),
      whyUnknown: verdict === 'unknown' ? whyUnknown : [],
      assumptions: assumptionsOf(this.explorer, this.bounds),
      findings,
      executions,
      redundant: this.total('redundant'),
      cut: this.total('cut'),
      pruned,
      events,
      plansDone,
      plans,
      share,
      claims: audit.claims,
      audited: audit.audited,
      refuted,
      estimatedReductions: this.estimatedReductions(),
      seconds: this.elapsedMs / 1000,
    };
  }

  private estimatedReductions(): EstimatedReduction[] {
    return this.bounds.estimateReduction.map((policies, at) => {
      const estimates = this.plans.map((plan) => plan.estimates[at]);
      const sum = (what: 'executions' | 'left'): number =>
        estimates.reduce((total, estimate) => total + (estimate?.[what] ?? 0), 0);
      return { policies, executions: sum('executions'), left: sum('left') };
    });
  }

  /** Faults that the system declares and the search does not explore. */
  private leftOut(): (keyof Faults)[] {
    const { search } = this.bounds;
    const tampers = kindOf[search] === 'exhaustive' || kindOf[search] === 'stateful';
    // Only novelty takes the faults that a world offers; the others plan them, or tamper with messages.
    const left: readonly (keyof Faults)[] = [
      ...(tampers ? [] : (['losses', 'duplicates', 'holds'] as const)),
      ...(search === 'novelty' ? [] : (['pauses'] as const)),
    ];
    return left.filter((fault) => this.explorer.system.declaration.faults[fault] > 0);
  }

  private within(): Within {
    const { eventsMax: events, seed } = this.bounds;
    return { ...this.explorer.budget, events, ...(this.explorer.system.isDrawn ? { seed } : {}) };
  }
}

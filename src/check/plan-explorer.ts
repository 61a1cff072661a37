import type { CheckBounds } from './options.ts';
import type { CheckFinding, RefutedRule, Within } from './report.ts';
import { FaultPlanSearch } from './fault-plan-search.ts';
import { BadPhrase } from '../execution/wording.ts';
import { ReplayDiverged } from '../schedule/replay/exact-replay.ts';
import {
  cutsIn,
  disturbedBy,
  faultPlans,
  isRepresentative,
  linksOf,
  largestPlans,
  type FaultPlan,
} from './fault-plans.ts';
import { OracleReads, waitingOracles } from './dependence/oracle-reads.ts';
import { StaleCheckpoint } from './search/saved.ts';
import { driveAtLength } from '../kernel/drive.ts';
import { askedInVain } from '../kernel/user-code/asking.ts';
import { takeEndedCode } from '../kernel/user-code/async-code.ts';
import { TimeSlice, hung, SLICE_MS, type Steps } from '../kernel/loop.ts';
import type { TimedOut } from '../kernel/user-code/time-limit.ts';
import { Verdicts } from './verdicts.ts';
import { reductionsOf, symmetryOf, type Policy } from './reduce/policies.ts';
import { record, type Origin } from '../execution/record.ts';
import { Audit } from './reduce/audit.ts';
import { reproduce } from '../replay/replay.ts';
import type { ResolvedSystem } from '../system/resolve.ts';
import type { Event } from '../trace/event.ts';
import { eventsDifference } from '../trace/difference.ts';
import { eventOf } from '../trace/codec.ts';
import type { Trace } from '../trace/format.ts';
import type { Unknown, Violated } from '../trace/verdict.ts';

/** Without `audit`, every nth claim is audited. */
const AUDITED_EVERY = 100;

/** Explores fault plans, and keeps violations. */
export class PlanExplorer {
  readonly origin: Origin;
  readonly budget: Pick<Within, 'crashes' | 'restarts' | 'partitions'>;
  readonly plans: readonly FaultPlanSearch[];
  readonly oracleReads: OracleReads;
  readonly verdicts: Verdicts;
  readonly audit: Audit;
  readonly findings: CheckFinding[] = [];
  private readonly refutedElsewhere: RefutedRule[] = [];
  /** The first execution, which must repeat whenever it is executed. */
  probe: Trace | undefined;
  /** Why the exploration ended early: the clock ended code that may only have waited for a CPU. */
  whyEnded: string | undefined;
  /** The execution that is being examined. */
  suspect: readonly Event[] = [];

  constructor(
    readonly system: ResolvedSystem,
    private readonly bounds: CheckBounds,
  ) {
    const { seed, eventsMax, handlerMs, search, module } = bounds;
    const { declaration, rules } = system;
    this.origin = { system, module, seed, strategy: `check:${search}`, eventsMax, handlerMs };
    const oracleReads = (this.oracleReads = new OracleReads([...declaration.processes.keys()], waitingOracles(system)));
    this.verdicts = new Verdicts(this.origin, oracleReads);
    this.audit = new Audit(bounds.audit ? 1 : AUDITED_EVERY);
    const { crashes, restarts, partitions } = { ...declaration.faults, ...bounds.faults };
    this.budget = { crashes, restarts, partitions };
    const limits = { preemptionsMax: bounds.preemptions, executionsMax: bounds.executions };
    this.plans = this.plansWithin().map((faults) => {
      // A familiar abstraction may have another future in another plan, so each plan has its own reductions.
      const audited = (policies: readonly Policy[]) =>
        reductionsOf(policies, rules).map((reduction) => this.audit.over(reduction));
      return new FaultPlanSearch({
        origin: this.origin,
        faults,
        verdicts: this.verdicts,
        oracleReads,
        reductions: () => audited(bounds.reduce),
        estimated: () => bounds.estimateReduction.map(audited),
        search,
        eventsMax,
        ...limits,
      });
    });
  }

  private plansWithin(): FaultPlan[] {
    const { declaration, rules } = this.system;
    // Novelty places faults by itself, so that executions with many faults share prefixes with those with few.
    if (this.bounds.search === 'novelty') return [{ threads: [], ...this.budget }];
    // Processes with different links are not interchangeable.
    const groups = declaration.links === undefined ? symmetryOf(this.bounds.reduce, rules) : [];
    const { items } = this.system.plan(this.bounds.seed);
    const names = [...declaration.processes.keys()];
    const links = linksOf(declaration);
    const all = faultPlans(names, links, this.budget, disturbedBy(items), cutsIn(items, links)).filter((plan) =>
      isRepresentative(plan, groups),
    );
    return this.verdicts.judgesEnds ? all : largestPlans(all);
  }

  get executions(): number {
    return this.plans.reduce((sum, { tally }) => sum + tally.executions, 0);
  }

  /** Rules that an audit refuted, in this thread or another. */
  get refuted(): RefutedRule[] {
    const known = this.refutedElsewhere;
    const here = this.audit.refuted.filter(({ rule }) => known.every((other) => other.rule !== rule));
    return [...known, ...here];
  }

  addRefuted(rules: readonly RefutedRule[]): void {
    const known = new Set(this.refuted.map(({ rule }) => rule));
    this.refutedElsewhere.push(...rules.filter(({ rule }) => !known.has(rule)));
  }

  /** Whether to abandon the current execution by throwing `GivenUp`: a single execution may take longer than the whole check. */
  isOverdue: () => boolean = () => false;

  /** Explores one plan until `isEnough`, which is called after each execution. `beforehand` runs first. */
  async explore(plan: FaultPlanSearch, isEnough: () => boolean, beforehand?: Steps<void>): Promise<void> {
    const isOver = (): boolean => plan.tally.isDone || plan.isStale || isEnough();
    // In one run, because starting the clock that ends handlers takes a while.
    const steps = [...(beforehand === undefined ? [] : [beforehand]), this.untilFinding(plan, isOver)];
    takeEndedCode();
    await driveAtLength(oneAfterTheOther(steps), this.bounds.handlerMs, this.isOverdue);
    if (this.verdicts.first !== undefined)
      this.probe ??= await this.recordTwice(this.verdicts.first, { ...this.origin, isOverdue: this.isOverdue });
    for (const events of this.verdicts.takeViolations()) await this.keep(events);
    if (!isOver()) await this.explore(plan, isEnough);
  }

  private *untilFinding(plan: FaultPlanSearch, isOver: () => boolean): Steps<void> {
    const slice = new TimeSlice();
    while (!isOver()) {
      yield* plan.next();
      if (slice.isOver()) yield undefined;
      if (this.probe === undefined || this.verdicts.hasViolations) return;
    }
  }

  private async keep(events: readonly Event[]): Promise<void> {
    const trace = await this.recordTwice(events).catch((error: unknown) => this.keepWithoutPhrases(error));
    if (trace.verdict.verdict !== 'violated')
      throw new ReplayDiverged(trace.events.length, 'a violation did not happen again on re-execution.');
    this.findings.push({ trace, executions: this.executions });
  }

  /** Keeps a violation although a phrase of the system failed. */
  private keepWithoutPhrases(error: unknown): never {
    if (error instanceof BadPhrase && error.trace.verdict.verdict === 'violated')
      this.findings.push({ trace: error.trace, executions: this.executions });
    throw error;
  }

  /**
   * After the clock has ended code: executes the events that led there again. Keeps the violation if a handler
   * does not return, and says so. The exploration cannot continue: a handler was ended in the middle.
   */
  async keepHang(ended: TimedOut): Promise<boolean> {
    const code = askedInVain() === undefined ? takeEndedCode() : undefined;
    if (code === undefined) return false;
    this.suspect = code.world.recording.events.since(0);
    const trace = await this.recordHang(hung(ended, code), ended);
    if (trace.verdict.verdict !== 'violated') return false;
    this.findings.push({ trace: await reproduce(this.origin, trace), executions: this.executions });
    return true;
  }

  /**
   * The code that was ended is a handler and, before it, some work of the search. If its CPU time is enough for both, the handler is
   * proven to hang, and only has to show once more that it does not return at once. Otherwise it has its time again.
   */
  private async recordHang(hang: Violated | Unknown, { spent: { cpuMs = 0, boundMs } }: TimedOut): Promise<Trace> {
    const { origin, suspect } = this;
    const isProven = hang.kind === 'violated' && cpuMs >= 1.2 * boundMs + SLICE_MS;
    if (!isProven) return await record(origin, suspect, {}, 'unproven');
    return await record(origin, suspect, {}, hang).catch((error: unknown) => {
      if (error instanceof ReplayDiverged) return record(origin, suspect, {}, 'unproven');
      throw error;
    });
  }

  /** Keeps a violation that another thread found, unless it is known. It must repeat in this thread. */
  async adopt(trace: Trace, executions: number): Promise<void> {
    const { verdict } = trace;
    if (verdict.verdict !== 'violated' || this.verdicts.fingerprints.has(verdict.fingerprint)) return;
    this.verdicts.fingerprints.add(verdict.fingerprint);
    this.suspect = trace.events.map(eventOf);
    this.findings.push({ trace: await reproduce(this.origin, trace), executions });
  }

  /** Takes over the first execution of a checkpoint. Its events must repeat; the verdicts of oracles do not count. */
  async takeOverProbe(probe: Trace): Promise<void> {
    const system = { ...this.system, invariants: new Map(), oracles: new Map() };
    const again = await record({ ...this.origin, system }, probe.events.map(eventOf)).catch(unfit);
    if (eventsDifference(probe.events, again.events) !== undefined) throw new StaleCheckpoint();
    this.probe = probe;
  }

  /** Records an execution, and repeats it to compare. */
  private async recordTwice(events: readonly Event[], origin = this.origin): Promise<Trace> {
    this.suspect = events;
    return await reproduce(origin, await record(origin, events));
  }
}

function unfit(error: unknown): never {
  throw error instanceof ReplayDiverged ? new StaleCheckpoint() : error;
}

function* oneAfterTheOther(all: readonly Steps<void>[]): Steps<void> {
  for (const steps of all) yield* steps;
}

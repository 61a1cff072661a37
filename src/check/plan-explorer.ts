import type { CheckBounds } from './options.ts';
import type { CheckFinding, RefutedRule, Within } from './report.ts';
import { FaultPlanSearch } from './fault-plan-search.ts';
import { BadPhrase } from '../execution/wording.ts';
import { ReplayDiverged } from '../schedule/replay/exact-replay.ts';
import { disturbedBy, faultPlans, faultsOf, largestPlans, type FaultPlan } from './fault-plans.ts';
import { OracleReads } from './dependence/oracle-reads.ts';
import { StaleCheckpoint } from './search/saved.ts';
import { driveAtLength } from '../kernel/drive.ts';
import { askedInVain } from '../kernel/user-code/asking.ts';
import { takeEndedCode } from '../kernel/user-code/async-code.ts';
import { breather, type Steps } from '../kernel/loop.ts';
import { Verdicts } from './verdicts.ts';
import { reductionsOf, symmetryOf, type Policy } from './reduce/policies.ts';
import { record, type Origin } from '../execution/record.ts';
import { Audit } from './reduce/audit.ts';
import { isFirstOfItsKind } from './reduce/symmetry.ts';
import { refutedRule } from './reduce/refuted-rule.ts';
import { reproduce } from '../replay/replay.ts';
import type { ResolvedSystem } from '../system/resolve.ts';
import type { Event } from '../trace/event.ts';
import { eventsDifference } from '../trace/difference.ts';
import { eventOf } from '../trace/codec.ts';
import type { Trace } from '../trace/format.ts';

/** Without `audit`, one claim in so many is looked at. */
const AUDITED_EVERY = 100;

/** Explores plans of faults, and keeps what violates something. */
export class PlanExplorer {
  readonly origin: Origin;
  readonly budget: Pick<Within, 'crashes' | 'restarts' | 'cuts'>;
  readonly plans: readonly FaultPlanSearch[];
  readonly observed: OracleReads;
  readonly verdicts: Verdicts;
  readonly audit: Audit;
  readonly findings: CheckFinding[] = [];
  private readonly refutedElsewhere: RefutedRule[] = [];
  /** The first execution: it must come out the same whenever it is executed. */
  probe: Trace | undefined;
  /** What was ended by the clock, though it may have waited for a CPU: with it, the explorer ended. */
  whyEnded: string | undefined;
  /** The execution that is looked into. */
  suspect: readonly Event[] = [];

  constructor(
    readonly system: ResolvedSystem,
    private readonly bounds: CheckBounds,
  ) {
    const { seed, eventsMax, handlerMs, search, module } = bounds;
    const { declaration, rules } = system;
    this.origin = { system, module, seed, strategy: `check:${search}`, eventsMax, handlerMs };
    const observed = (this.observed = new OracleReads([...declaration.processes.keys()]));
    this.verdicts = new Verdicts(this.origin, observed);
    this.audit = new Audit(bounds.audit ? 1 : AUDITED_EVERY);
    const { crashes, restarts, cuts } = { ...declaration.faults, ...bounds.faults };
    this.budget = { crashes, restarts, cuts };
    const limits = { preemptionsMax: bounds.preemptions, executionsMax: bounds.executions };
    this.plans = this.plansWithin().map((faults) => {
      // What is familiar in one plan may have another future in the next.
      const audited = (policies: readonly Policy[]) =>
        reductionsOf(policies, rules).map((reduction) => this.audit.over(reduction));
      return new FaultPlanSearch({
        origin: this.origin,
        faults,
        verdicts: this.verdicts,
        observed,
        reductions: () => audited(bounds.reduce),
        weighed: () => bounds.weigh.map(audited),
        search,
        eventsMax,
        ...limits,
      });
    });
  }

  private plansWithin(): FaultPlan[] {
    const { declaration, rules } = this.system;
    // It places faults by itself, so that executions with many share what those with few began with.
    if (this.bounds.search === 'novelty') return [{ threads: [], ...this.budget }];
    const groups = symmetryOf(this.bounds.reduce, rules);
    const { items } = this.system.plan(this.bounds.seed);
    const all = faultPlans([...declaration.processes.keys()], this.budget, disturbedBy(items)).filter(({ threads }) =>
      isFirstOfItsKind(groups, (process) => threads.find(({ name }) => name === faultsOf(process))?.items.length ?? 0),
    );
    return this.verdicts.judgesEnds ? all : largestPlans(all);
  }

  get executions(): number {
    return this.plans.reduce((sum, { tally }) => sum + tally.executions, 0);
  }

  /** Rules that were found to be wrong, here or elsewhere. */
  get refuted(): RefutedRule[] {
    const known = this.refutedElsewhere;
    const here = this.audit.refuted.filter(({ rule }) => known.every((other) => other.rule !== rule));
    return [...known, ...here.map(refutedRule)];
  }

  addRefuted(rules: readonly RefutedRule[]): void {
    const known = new Set(this.refuted.map(({ rule }) => rule));
    this.refutedElsewhere.push(...rules.filter(({ rule }) => !known.has(rule)));
  }

  /** Whether what is under way is given up, by throwing `GivenUp`: a single execution may take longer than the whole check may. */
  isOverdue: () => boolean = () => false;

  /** One plan, until that is enough, which is asked after each execution; beforehand, whatever it takes to get there. */
  async explore(plan: FaultPlanSearch, isEnough: () => boolean, beforehand?: Steps<void>): Promise<void> {
    const isOver = (): boolean => plan.tally.isDone || plan.isStale || isEnough();
    // Together, as it takes a while to start the clock that ends handlers.
    const steps = [...(beforehand === undefined ? [] : [beforehand]), this.untilNews(plan, isOver)];
    takeEndedCode();
    await driveAtLength(oneAfterTheOther(steps), this.bounds.handlerMs, this.isOverdue);
    if (this.verdicts.first !== undefined)
      this.probe ??= await this.again(this.verdicts.first, { ...this.origin, isOverdue: this.isOverdue });
    for (const events of this.verdicts.takeViolations()) await this.keep(events);
    if (!isOver()) await this.explore(plan, isEnough);
  }

  private *untilNews(plan: FaultPlanSearch, isOver: () => boolean): Steps<void> {
    const rest = breather();
    while (!isOver()) {
      yield* plan.next();
      yield* rest();
      if (this.probe === undefined || this.verdicts.hasViolations) return;
    }
  }

  private async keep(events: readonly Event[]): Promise<void> {
    const trace = await this.again(events).catch((error: unknown) => this.wordless(error));
    if (trace.verdict.verdict !== 'violated')
      throw new ReplayDiverged(trace.events.length, 'a violation did not happen again on re-execution.');
    this.findings.push({ trace, executions: this.executions });
  }

  /** What was found is kept, though the system has no words for it. */
  private wordless(error: unknown): never {
    if (error instanceof BadPhrase && error.trace.verdict.verdict === 'violated')
      this.findings.push({ trace: error.trace, executions: this.executions });
    throw error;
  }

  /**
   * After the clock has ended code: executes the events that led there again, with a clock for each. Keeps the violation where a handler
   * does not return, and says whether that is so. The exploration cannot go on: a handler was ended in the middle.
   */
  async keepHang(): Promise<boolean> {
    const code = askedInVain() === undefined ? takeEndedCode() : undefined;
    if (code === undefined) return false;
    this.suspect = code.world.recording.events.since(0);
    const trace = await record(this.origin, this.suspect, {}, 'unproven');
    if (trace.verdict.verdict !== 'violated') return false;
    this.findings.push({ trace: await reproduce(this.origin, trace), executions: this.executions });
    return true;
  }

  /** Keeps what was found elsewhere, unless it is known: it has to come out the same here. */
  async adopt(trace: Trace, executions: number): Promise<void> {
    const { verdict } = trace;
    if (verdict.verdict !== 'violated' || this.verdicts.fingerprints.has(verdict.fingerprint)) return;
    this.verdicts.fingerprints.add(verdict.fingerprint);
    this.suspect = trace.events.map(eventOf);
    this.findings.push({ trace: await reproduce(this.origin, trace), executions });
  }

  /** Takes over a first execution: the same has to happen, whatever oracles say of it. */
  async expect(probe: Trace): Promise<void> {
    const system = { ...this.system, invariants: new Map(), oracles: new Map() };
    const again = await record({ ...this.origin, system }, probe.events.map(eventOf)).catch(unfit);
    if (eventsDifference(probe.events, again.events) !== undefined) throw new StaleCheckpoint();
    this.probe = probe;
  }

  /** Executes it again to write it down, and once more to see that it comes out the same. */
  private async again(events: readonly Event[], origin = this.origin): Promise<Trace> {
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

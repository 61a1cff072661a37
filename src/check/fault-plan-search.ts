import type { SavedPlan } from './checkpoint.ts';
import type { SearchEnding } from './search/dpor.ts';
import type { InterleavingEnding } from './search/depth-first.ts';
import { emptyReadSet } from '../oracles/tracked-world.ts';
import type { FaultPlan } from './fault-plans.ts';
import { conflicts } from './dependence/footprint.ts';
import type { Environment } from './search/transitions.ts';
import type { OracleReads } from './dependence/oracle-reads.ts';
import type { Proposal } from './search/proposal.ts';
import { Dependence } from './dependence/dependence.ts';
import type { NamedTransition } from './search/wakeup-tree.ts';
import { ReductionEstimate, type EstimatedExecution } from './reduce/reduction-estimate.ts';
import type { Verdicts } from './verdicts.ts';
import type { Steps } from '../kernel/loop.ts';
import type { Reduction, Session } from '../kernel/ports.ts';
import { PlanTally } from './plan-tally.ts';
import type { Origin } from '../execution/record.ts';
import {
  explorationCalled,
  kindOf,
  type Exploration,
  type ExplorationOptions,
  type SavedExploration,
  type SearchName,
} from './searches.ts';
import type { ResolvedSystem } from '../system/resolve.ts';
import { targetOf } from '../hosts/target.ts';
import type { External } from '../trace/event.ts';
import { watchedActions } from '../oracles/watched-actions.ts';

export interface PlanOptions {
  readonly origin: Origin;
  readonly faults: FaultPlan;
  readonly verdicts: Verdicts;
  readonly oracleReads: OracleReads;
  /** Makes the reductions for every start, because some remember what they saw. */
  readonly reductions: () => readonly Reduction[];
  /** The policies whose reduction is estimated. */
  readonly estimated: () => readonly (readonly Reduction[])[];
  readonly search: SearchName;
  readonly eventsMax: number;
  readonly preemptionsMax: number | undefined;
  readonly executionsMax: number;
}

/** Explores all executions of one fault plan one after another, or those of a piece of it. */
export class FaultPlanSearch {
  readonly tally = new PlanTally();
  /** Whether oracles have read more than was known when the piece was made, so that it is invalid. */
  isStale = false;
  private isPiece = false;
  private exploration: Exploration | undefined;
  private steps: Steps<void> | undefined;
  private version = -1;
  private reductions: readonly Reduction[] = [];
  estimates: readonly ReductionEstimate[] = [];
  private violatedAt = Number.POSITIVE_INFINITY;

  constructor(private readonly options: PlanOptions) {}

  private get isReduced(): boolean {
    return kindOf[this.options.search] === 'reduced';
  }

  /** Whether nothing is left to explore. */
  get isOver(): boolean {
    return this.tally.isDone && this.exploration?.isCutByWorlds !== true;
  }

  /** Whether everything was explored. A random search never knows. */
  get isComplete(): boolean {
    return this.isOver && kindOf[this.options.search] !== 'chance';
  }

  get share(): number {
    return this.tally.isDone ? 1 : (this.exploration?.share ?? 0);
  }

  /** Explores until the end of the next execution, or for a while. */
  *next(): Steps<void> {
    const { tally } = this;
    const { verdicts } = this.options;
    // Only between executions, because pauses within one depend on the clock.
    if (this.steps === undefined || !this.isUpToDate) this.startOver();
    yield* verdicts.begin();
    verdicts.violatedAt = this.violatedAt;
    while (!tally.isDone && !this.isStale) {
      const step = (this.steps as Steps<void>).next();
      if (step.done !== true) {
        // A promise is an unfinished event, wherever the search is.
        if (step.value === undefined && this.exploration?.isBetween === true) break;
        yield step.value;
      } else if (this.isUpToDate) tally.isDone = true;
      else this.startOver();
    }
    this.violatedAt = verdicts.violatedAt;
    yield* verdicts.judgeEnded();
  }

  /** Whether a piece is invalid, perhaps since its last execution: then nothing of it can be saved. */
  get isOutdated(): boolean {
    return this.isStale || (this.isPiece && !this.isUpToDate);
  }

  /** The reads of oracles decide which orders may be left out. */
  private get isUpToDate(): boolean {
    return !this.isReduced || this.version === this.options.oracleReads.version;
  }

  /** To be called between executions. */
  save(): SavedPlan {
    const { isOver: isDone, tally, violatedAt, exploration } = this;
    const inProgress = (!isDone || this.isPiece) && this.isUpToDate;
    const saved = inProgress ? exploration?.save() : undefined;
    const judged = violatedAt === Number.POSITIVE_INFINITY ? {} : { violatedAt };
    return {
      ...tally.save(),
      isDone,
      seen: this.reductions.map(({ seen }) => [...(seen ?? [])]),
      ...(saved === undefined ? {} : { exploration: { ...saved, ...judged } }),
    };
  }

  /** The frame at which a piece can be divided. To be called between executions. */
  *divide(): Steps<number | undefined> {
    return this.exploration?.divide === undefined || this.isOutdated ? undefined : yield* this.exploration.divide();
  }

  /** Sequences that other pieces have to explore. */
  get proposals(): readonly Proposal[] {
    return this.exploration?.proposals ?? [];
  }

  /** Returns to the saved state. The reads of oracles must have been restored before. */
  *restore(saved: SavedPlan, proposals: readonly Proposal[] = []): Steps<void> {
    const { seen, exploration, isDone } = saved;
    if (exploration !== undefined) {
      this.begin();
      this.isPiece = 'held' in exploration;
      this.violatedAt = exploration.violatedAt ?? Number.POSITIVE_INFINITY;
      // Subtrees are assembled elsewhere; here, each is one stack.
      yield* this.exploration?.restore(exploration as SavedExploration, proposals) ?? [];
    }
    this.tally.add(saved);
    this.tally.isDone = isDone;
    for (const [at, names] of seen.entries()) for (const name of names) this.reductions[at]?.seen?.add(name);
  }

  /** Starts over, because oracles read more than was known. A piece cannot, because it is one of several. */
  private startOver(): void {
    if (this.isPiece) this.isStale = true;
    else this.begin();
  }

  private begin(): void {
    const { origin, oracleReads, faults, eventsMax, search, verdicts } = this.options;
    const { system, seed } = origin;
    const plan = system.plan(seed);
    const environment: Environment = {
      threads: [{ name: 'workload', items: plan.items.slice(plan.startsFirst), passesOver: true }, ...faults.threads],
      tampers: search !== 'novelty' && (kindOf[search] === 'stateful' || kindOf[search] === 'exhaustive'),
    };
    this.version = oracleReads.version;
    this.reductions = this.options.reductions();
    this.tally.startOver();
    this.violatedAt = Number.POSITIVE_INFINITY;
    verdicts.violatedAt = Number.POSITIVE_INFINITY;
    const { isOrderSeen, isAnything: isWatched } = oracleReads;
    const dependence = new Dependence(system.declaration, environment, {
      isOrderSeen,
      isWatched,
      isBlackBox: search === 'blackbox' || search === 'blackbox-race-reversal',
    });
    this.estimates = this.options
      .estimated()
      .map((policies) => new ReductionEstimate(policies, (...asked) => depends(policies, dependence, ...asked)));
    const reads = emptyReadSet();
    const noteCut = (): void => void (this.tally.cutsByActions += 1);
    const target = targetOf(within(watchedActions(system, reads, noteCut), faults));
    const options: ExplorationOptions = {
      oracleReads,
      reads,
      seed,
      preemptionsMax: this.options.preemptionsMax,
      executionsMax: this.options.executionsMax,
      open: () => target.open(seed),
      first: plan.items.slice(0, plan.startsFirst) as External[],
      environment,
      dependence,
      eventsMax,
      isVisible: (before, after, since) => oracleReads.isVisible(before, after, since),
      depends: (session, one, other) => depends(this.reductions, dependence, session, one, other),
      visitor: {
        arrived: (session) => {
          this.tally.events += 1;
          // Consecutive worlds may belong to different executions, and worlds that were met before are not visited.
          if (kindOf[search] === 'stateful' || search === 'deepening') verdicts.violatedAt = Number.POSITIVE_INFINITY;
          verdicts.arrived(session);
        },
        infeasible: () => {
          this.tally.infeasible += 1;
        },
        familiarBy: (session, transition) =>
          this.reductions.find((reduction) => reduction.isFamiliar?.(session, transition.step) === true)?.name,
        leftOut: (policy) => this.tally.prune(policy),
        heldBack: () => oracleReads.seeWaits(),
        ended: (session, ending) => this.ended(session, ending),
      },
    };
    this.exploration = explorationCalled(search, options);
    this.steps = this.exploration.run();
  }

  private ended(session: Session, ending: SearchEnding | InterleavingEnding): boolean {
    // The rest was left out, so this is no execution.
    if (ending === 'preempted') return true;
    if (ending === 'finished' && session.stuck !== undefined) throw session.stuck;
    const { tally } = this;
    tally.executions += 1;
    if (ending === 'bound') tally.cut += 1;
    if (ending === 'blocked') tally.redundant += 1;
    this.options.verdicts.ended(session, ending);
    for (const estimate of this.estimates)
      estimate.add((this.exploration as Exploration).execution as EstimatedExecution);
    return true;
  }
}

/** Whether the order of two events matters, as far as the policies know. */
function depends(
  reductions: readonly Reduction[],
  dependence: Dependence,
  session: Session | undefined,
  one: NamedTransition,
  other: NamedTransition,
): boolean {
  if (!conflicts(one.foot, other.foot)) return false;
  if (reductions.length === 0 || session === undefined || !dependence.isOnlyLocal(one.foot, other.foot)) return true;
  return !reductions.some((reduction) => reduction.independent?.(session, one.step, other.step) === true);
}

/** The same system with these fault budgets, which only `novelty` uses. */
function within(system: ResolvedSystem, { crashes, restarts, partitions }: FaultPlan): ResolvedSystem {
  const { declaration } = system;
  return {
    ...system,
    declaration: { ...declaration, faults: { ...declaration.faults, crashes, restarts, partitions } },
  };
}

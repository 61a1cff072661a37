import type { Ending } from './explore/systematic/dpor.ts';
import type { InterleavingEnding } from './explore/systematic/interleavings.ts';
import type { FaultPlan } from './explore/systematic/fault-plans.ts';
import { conflicts } from './explore/systematic/footprint.ts';
import type { Environment } from './explore/systematic/moves.ts';
import type { Observed } from './explore/systematic/observed.ts';
import { Scope } from './explore/systematic/scope.ts';
import type { Named } from './explore/systematic/wakeup-tree.ts';
import type { Jury } from './jury.ts';
import type { Steps } from './kernel/loop.ts';
import type { Reduction, Session } from './kernel/ports.ts';
import type { Origin } from './record.ts';
import { explorationCalled, kindOf, type Exploration, type ExplorationOptions, type SearchName } from './searches.ts';
import { actors } from './targets/actors/target.ts';
import type { External } from './trace/event.ts';

export interface PlanOptions {
  readonly origin: Origin;
  readonly faults: FaultPlan;
  readonly jury: Jury;
  readonly observed: Observed;
  /** Made anew whenever it is begun with: some remember what they saw. */
  readonly reductions: () => readonly Reduction[];
  readonly search: SearchName;
  readonly eventsMax: number;
  readonly preemptionsMax: number | undefined;
  readonly executionsMax: number;
}

/** All executions with one set of faults, one after the other. */
export class CheckedPlan {
  isDone = false;
  executions = 0;
  redundant = 0;
  /** How often an event could not happen that should have: some rule is wrong. */
  astray = 0;
  cut = 0;
  events = 0;
  readonly pruned = new Map<string, number>();
  private exploration: Exploration | undefined;
  private steps: Steps<void> | undefined;
  private version = -1;
  private reductions: readonly Reduction[] = [];

  constructor(private readonly options: PlanOptions) {}

  private get isReduced(): boolean {
    return kindOf[this.options.search] === 'reduced';
  }

  /** Whether nothing is left, and not only nothing that chance led to. */
  get isComplete(): boolean {
    if (!this.isDone) return false;
    return kindOf[this.options.search] !== 'chance' || this.exploration?.isExhausted === true;
  }

  get share(): number {
    return this.isDone ? 1 : (this.exploration?.share ?? 0);
  }

  /** Up to the end of the next execution. */
  *next(): Steps<void> {
    const { observed, jury } = this.options;
    const before = this.executions;
    // What oracles look at decides what may be left out: begin anew where they look at more than was known. Only between
    // executions, as pauses within come by the clock.
    if (this.steps === undefined || (this.isReduced && this.version !== observed.version)) this.begin();
    while (!this.isDone && this.executions === before) {
      const step = (this.steps as Steps<void>).next();
      if (step.done !== true) yield step.value;
      else if (this.version === observed.version) this.isDone = true;
      else this.begin();
    }
    yield* jury.deliberate();
  }

  private begin(): void {
    const { origin, observed, faults, eventsMax, search, jury } = this.options;
    const { system, seed } = origin;
    const plan = system.plan(seed);
    const environment: Environment = {
      threads: [{ name: 'workload', items: plan.items.slice(plan.startsFirst) }, ...faults.threads],
      tampers: kindOf[search] === 'stateful' || kindOf[search] === 'exhaustive',
    };
    this.version = observed.version;
    this.reductions = this.options.reductions();
    this.pruned.clear();
    this.cut = 0;
    this.redundant = 0;
    const { isOrderSeen, isAnything: isWatched } = observed;
    const scope = new Scope(system.declaration, environment, {
      isOrderSeen,
      isWatched,
      isBlackBox: search === 'blackbox',
    });
    const options: ExplorationOptions = {
      observed,
      seed,
      preemptionsMax: this.options.preemptionsMax,
      executionsMax: this.options.executionsMax,
      open: () => actors(system).open(seed),
      first: plan.items.slice(0, plan.startsFirst) as External[],
      environment,
      scope,
      eventsMax,
      isVisible: (before, after, since) => observed.isVisible(before, after, since),
      depends: (session, one, other) => this.depends(scope, session, one, other),
      visitor: {
        arrived: (session) => {
          this.events += 1;
          jury.arrived(session);
        },
        wentAstray: () => {
          this.astray += 1;
        },
        familiarBy: (session, move) =>
          this.reductions.find((reduction) => reduction.isFamiliar?.(session, move.step) === true)?.name,
        leftOut: (policy) => {
          this.pruned.set(policy, (this.pruned.get(policy) ?? 0) + 1);
        },
        ended: (session, ending) => this.ended(session, ending),
      },
    };
    this.exploration = explorationCalled(search, options);
    this.steps = this.exploration.run();
  }

  private depends(scope: Scope, session: Session | undefined, one: Named, other: Named): boolean {
    if (!conflicts(one.foot, other.foot)) return false;
    const { reductions } = this;
    if (reductions.length === 0 || session === undefined || !scope.isOnlyLocal(one.foot, other.foot)) return true;
    return !reductions.some((reduction) => reduction.independent?.(session, one.step, other.step) === true);
  }

  private ended(session: Session, ending: Ending | InterleavingEnding): boolean {
    // Something was left out from there on: that is no execution.
    if (ending === 'preempted') return true;
    if (ending === 'finished' && session.stuck !== undefined) throw session.stuck;
    this.executions += 1;
    if (ending === 'bound') this.cut += 1;
    if (ending === 'blocked') this.redundant += 1;
    this.options.jury.ended(session, ending);
    return true;
  }
}

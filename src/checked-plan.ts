import type { SearchName } from './check.ts';
import type { SavedPlan } from './checkpoint.ts';
import { Dpor, type DporOptions, type Ending } from './explore/systematic/dpor.ts';
import { Flips, type SavedFlips } from './explore/systematic/flips.ts';
import type { FaultPlan } from './explore/systematic/fault-plans.ts';
import { conflicts } from './explore/systematic/footprint.ts';
import type { Environment } from './explore/systematic/moves.ts';
import type { Observed } from './explore/systematic/observed.ts';
import type { SavedPath } from './explore/systematic/saved.ts';
import { Scope } from './explore/systematic/scope.ts';
import type { Named } from './explore/systematic/wakeup-tree.ts';
import type { Jury } from './jury.ts';
import type { Steps } from './kernel/loop.ts';
import type { Reduction, Session } from './kernel/ports.ts';
import type { Origin } from './record.ts';
import { actors } from './targets/actors/target.ts';
import type { External, Internal } from './trace/event.ts';

export interface PlanOptions {
  readonly origin: Origin;
  readonly faults: FaultPlan;
  readonly jury: Jury;
  readonly observed: Observed;
  readonly reductions: readonly Reduction[];
  readonly search: SearchName;
  readonly eventsMax: number;
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
  private exploration: Dpor | Flips | undefined;
  private steps: Steps<void> | undefined;
  private version = -1;
  private violatedAt = Number.POSITIVE_INFINITY;

  constructor(private readonly options: PlanOptions) {}

  get share(): number {
    return this.isDone ? 1 : (this.exploration?.share ?? 0);
  }

  /** Up to the end of the next execution. */
  *next(): Steps<void> {
    const { observed, jury } = this.options;
    const before = this.executions;
    // What oracles look at decides what may be left out: begin anew where they look at more than was known. Only between
    // executions, as pauses within come by the clock.
    if (this.steps === undefined || this.version !== observed.version) this.begin();
    jury.violatedAt = this.violatedAt;
    while (!this.isDone && (this.executions === before || this.exploration?.isBetween !== true)) {
      const step = (this.steps as Steps<void>).next();
      if (step.done !== true) {
        if (step.value !== undefined || this.executions === before) yield step.value;
      } else if (this.version === observed.version) this.isDone = true;
      else this.begin();
    }
    this.violatedAt = jury.violatedAt;
    yield* jury.deliberate();
  }

  /** Between executions. */
  save(): SavedPlan {
    const { isDone, executions, redundant, astray, cut, events, violatedAt, exploration } = this;
    const isUnderWay = !isDone && exploration !== undefined && this.version === this.options.observed.version;
    return {
      isDone,
      executions,
      redundant,
      astray,
      cut,
      events,
      pruned: [...this.pruned],
      seen: this.options.reductions.map(({ seen }) => [...(seen ?? [])]),
      ...(violatedAt === Number.POSITIVE_INFINITY ? {} : { violatedAt }),
      ...(isUnderWay ? { exploration: exploration.save() } : {}),
    };
  }

  /** Gets to where it was left. What oracles look at has to be known by then. */
  *restore({ pruned, seen, exploration, violatedAt, ...counts }: SavedPlan): Steps<void> {
    if (exploration !== undefined) {
      this.begin();
      if (this.exploration instanceof Flips) this.exploration.restore(exploration as SavedFlips);
      else yield* (this.exploration as Dpor).restore(exploration as SavedPath);
    }
    Object.assign(this, counts);
    this.violatedAt = violatedAt ?? Number.POSITIVE_INFINITY;
    for (const [policy, count] of pruned) this.pruned.set(policy, count);
    for (const [at, names] of seen.entries()) for (const name of names) this.options.reductions[at]?.seen?.add(name);
  }

  private begin(): void {
    const { origin, observed, faults, eventsMax, search, jury } = this.options;
    const { system, seed } = origin;
    const plan = system.plan(seed);
    const environment: Environment = {
      threads: [{ name: 'workload', items: plan.items.slice(plan.startsFirst) }, ...faults.threads],
      tampers: false,
    };
    this.version = observed.version;
    this.cut = 0;
    this.redundant = 0;
    this.violatedAt = Number.POSITIVE_INFINITY;
    jury.violatedAt = Number.POSITIVE_INFINITY;
    const { isOrderSeen, isAnything: isWatched } = observed;
    const scope = new Scope(system.declaration, environment, {
      isOrderSeen,
      isWatched,
      isBlackBox: search === 'blackbox',
    });
    const options: DporOptions = {
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
        isFamiliar: (session, move) => this.isFamiliar(session, move.step),
        ended: (session, ending) => this.ended(session, ending),
      },
    };
    this.exploration = search === 'flips' ? new Flips(options) : new Dpor(options);
    this.steps = this.exploration.run();
  }

  private depends(scope: Scope, session: Session | undefined, one: Named, other: Named): boolean {
    if (!conflicts(one.foot, other.foot)) return false;
    const { reductions } = this.options;
    if (reductions.length === 0 || session === undefined || !scope.isOnlyLocal(one.foot, other.foot)) return true;
    return !reductions.some((reduction) => reduction.independent?.(session, one.step, other.step) === true);
  }

  private isFamiliar(session: Session, step: Internal | External): boolean {
    const by = this.options.reductions.find((reduction) => reduction.isFamiliar?.(session, step) === true);
    if (by !== undefined) this.pruned.set(by.name, (this.pruned.get(by.name) ?? 0) + 1);
    return by !== undefined;
  }

  private ended(session: Session, ending: Ending): boolean {
    if (ending === 'finished' && session.stuck !== undefined) throw session.stuck;
    this.executions += 1;
    if (ending === 'bound') this.cut += 1;
    if (ending === 'blocked') this.redundant += 1;
    this.options.jury.ended(session, ending);
    return true;
  }
}

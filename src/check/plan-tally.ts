/** The counts of one fault plan, as JSON. */
export interface SavedTally {
  readonly isDone: boolean;
  readonly executions: number;
  readonly redundant: number;
  readonly infeasible: number;
  readonly cut: number;
  readonly events: number;
  /** Missing in older checkpoints. */
  readonly cutsByActions?: number;
  readonly pruned: readonly (readonly [policy: string, count: number])[];
}

/** Counts the exploration of one fault plan. */
export class PlanTally {
  /** Whether nothing is left to explore. */
  isDone = false;
  executions = 0;
  /** Executions that were equivalent to earlier ones. */
  redundant = 0;
  /** How often an event was impossible that had to be possible: some rule is wrong. */
  infeasible = 0;
  /** Executions that were longer than allowed. */
  cut = 0;
  events = 0;
  /** How often an action cut links. */
  cutsByActions = 0;
  /** The number of pruned branches, by policy. */
  readonly pruned = new Map<string, number>();

  /** Resets the counts that concern the last start only. */
  startOver(): void {
    this.pruned.clear();
    this.cut = 0;
    this.redundant = 0;
  }

  prune(policy: string, count = 1): void {
    this.pruned.set(policy, (this.pruned.get(policy) ?? 0) + count);
  }

  save(): SavedTally {
    const { isDone, executions, redundant, infeasible, cut, events, cutsByActions, pruned } = this;
    return { isDone, executions, redundant, infeasible, cut, events, cutsByActions, pruned: [...pruned] };
  }

  /** Adds the counts of a part. The caller decides whether everything is done. */
  add({ executions, redundant, infeasible, cut, events, cutsByActions = 0, pruned }: SavedTally): void {
    this.executions += executions;
    this.redundant += redundant;
    this.infeasible += infeasible;
    this.cut += cut;
    this.events += events;
    this.cutsByActions += cutsByActions;
    for (const [policy, count] of pruned) this.prune(policy, count);
  }
}

/** How far one plan of faults has come, as JSON. */
export interface SavedTally {
  readonly isDone: boolean;
  readonly executions: number;
  readonly redundant: number;
  readonly infeasible: number;
  readonly cut: number;
  readonly events: number;
  readonly pruned: readonly (readonly [policy: string, count: number])[];
}

/** Counts what was explored with one plan of faults. */
export class PlanTally {
  /** Whether nothing is left to explore. */
  isDone = false;
  executions = 0;
  /** Executions that had been explored already. */
  redundant = 0;
  /** How often an event could not happen that should have: some rule is wrong. */
  infeasible = 0;
  /** Executions that were longer than allowed. */
  cut = 0;
  events = 0;
  /** What was left out, by policy. */
  readonly pruned = new Map<string, number>();

  /** Of the last time only: what was left out, and why. */
  beginAnew(): void {
    this.pruned.clear();
    this.cut = 0;
    this.redundant = 0;
  }

  prune(policy: string, count = 1): void {
    this.pruned.set(policy, (this.pruned.get(policy) ?? 0) + count);
  }

  save(): SavedTally {
    const { isDone, executions, redundant, infeasible, cut, events, pruned } = this;
    return { isDone, executions, redundant, infeasible, cut, events, pruned: [...pruned] };
  }

  /** What a part of it came to; whether everything is done is for others to say. */
  add({ executions, redundant, infeasible, cut, events, pruned }: SavedTally): void {
    this.executions += executions;
    this.redundant += redundant;
    this.infeasible += infeasible;
    this.cut += cut;
    this.events += events;
    for (const [policy, count] of pruned) this.prune(policy, count);
  }
}

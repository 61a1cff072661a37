/**
 * The shortest execution known of a bug, with any number of processes; `best/` has it. `exhaustive`: no execution with the
 * same externals is shorter, all were looked at. `search`: the shortest of many that were minimized. `hand`: thought out,
 * and no search came near it. Only the first proves anything.
 */
export interface BestKnown {
  readonly events: number;
  readonly how: 'exhaustive' | 'search' | 'hand';
}

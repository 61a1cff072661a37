/**
 * The shortest known execution of a bug, with any number of processes; it is in `best/`. `exhaustive`: no execution
 * with the same externals is shorter, since all were explored. `search`: the shortest of many minimized ones. `hand`:
 * designed by hand, and no search came near it. Only the first is a proof.
 */
export interface BestKnown {
  readonly events: number;
  readonly how: 'exhaustive' | 'search' | 'hand';
}

/** What a hunt has seen, as far as it gives reason to doubt that it tested anything. */
export interface Seen {
  readonly executions: number;
  readonly coverage: {
    readonly distinct: number;
    readonly cuts: number;
    readonly effectiveCuts: number;
    readonly never: readonly string[];
    readonly marksReached: readonly string[];
    readonly marksMissed: readonly string[];
  };
}

/** Fewer distinct executions than this, out of many, are hardly a search. */
const DISTINCT_MIN = 2;

/** One line for each number a reader needs to trust a hunt, and for each thing that it did not test. */
export function doubts({ executions, coverage }: Seen): string[] {
  const { distinct, cuts, effectiveCuts, never, marksReached, marksMissed } = coverage;
  const lines = [
    `covered   ${distinct.toLocaleString('en')} distinct execution${distinct === 1 ? '' : 's'}, up to the order of independent events`,
  ];
  if (marksReached.length + marksMissed.length > 0) {
    lines.push(
      `reached   ${marksReached.length} of ${marksReached.length + marksMissed.length} sometimes: ${marksReached.join(', ') || 'none'}`,
    );
  }
  if (marksMissed.length > 0) lines.push(`missed    ${marksMissed.join(', ')}: never true in any world`);
  if (never.length > 0) lines.push(`never     happened: ${never.join(', ')}`);
  if (cuts > effectiveCuts)
    lines.push(`idle      ${cuts - effectiveCuts} of ${cuts} cuts had no effect: nothing was sent over them`);
  if (executions >= 10 && distinct < DISTINCT_MIN)
    lines.push('idle      every execution was the same: there is nothing to choose in this system');
  return lines;
}

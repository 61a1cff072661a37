import { plural } from '../text/plural.ts';
import { withCommas } from '../text/with-commas.ts';
import type { CoverageReport } from './coverage.ts';

/** The counts of a hunt that may give reason to doubt that it tested anything. */
export interface Seen {
  readonly executions: number;
  readonly coverage: {
    readonly distinct: number;
    readonly worlds: number;
    readonly faults: Readonly<Record<string, { readonly happened: number; readonly effective: number }>>;
    readonly never: readonly string[];
    readonly marksReached: readonly string[];
    readonly marksMissed: readonly string[];
  };
}

const whyWithoutEffect: Readonly<Record<string, string>> = {
  cut: 'nothing was sent over the link or reported to its ends, or it was cut already',
  crash: 'the process had done nothing and received nothing',
  stop: 'the process had done nothing and received nothing',
  restart: 'nothing happened to the process afterward',
  duplicate: 'the copy was never delivered',
};

/** Fewer distinct executions than this, out of many, are hardly a search. */
const DISTINCT_MIN = 2;

const isMonotonous = (executions: number, distinct: number): boolean => executions >= 10 && distinct < DISTINCT_MIN;

/** Whether every mark was reached, every execution was judged, and executions differed. */
export const isCovered = ({ executions, unknown, coverage }: Seen & { readonly unknown: number }): boolean =>
  coverage.marksMissed.length === 0 && unknown === 0 && !isMonotonous(executions, coverage.distinct);

/** For `--stats`: which inputs happened, and which messages met which states of their receivers. */
export function statsLines({ inputs, pairs }: Pick<CoverageReport, 'inputs' | 'pairs'>): string[] {
  const counts = Object.entries(inputs).map(([kind, count]) => `${kind} ${withCommas(count)}`);
  return [
    `inputs    ${counts.join(', ') || 'none'}`,
    `pairs     ${withCommas(pairs.length)} of a message and what its receiver had printed last${pairs.length === 0 ? '' : ':'}`,
    ...pairs.map((pair) => `          ${pair}`),
  ];
}

/**
 * The chance that the next execution is one that has not been met: the share of executions that were the only one of their
 * interleaving (Good 1953, after Turing). A hunt whose executions are drawn alike can tell no more of what it has not seen.
 */
export const chanceOfNew = (executions: number, { once }: Pick<CoverageReport, 'once'>): number => once / executions;

/** After a hunt that found nothing: what was executed, and how much may be left. */
export function nothingFoundLines(executions: number, coverage: CoverageReport): string[] {
  const { deliver = 0, fire = 0 } = coverage.kinds;
  const faults = Object.entries(coverage.faults).map(([kind, { happened }]) => `${kind} ${withCommas(happened)}`);
  const chance = chanceOfNew(executions, coverage);
  return [
    `          with ${plural(deliver, 'message')}, ${plural(fire, 'timer')}, ${faults.length === 0 ? 'no faults' : `faults: ${faults.join(', ')}`}`,
    `chance    ${chanceText(chance, executions)} that the next execution is a new interleaving (Good–Turing)`,
  ];
}

const chanceText = (chance: number, executions: number): string =>
  chance === 0 ? `less than ${percentText(1 / executions)}` : `about ${percentText(chance)}`;

/** With two digits that count, and never 100 %. */
function percentText(share: number): string {
  const percent = Math.min(share * 100, 99);
  return `${percent >= 10 ? Math.round(percent) : Number(percent.toPrecision(2))} %`;
}

/** One line for each number that a reader needs to trust a hunt, and for each thing that it did not test. */
export function coverageLines({ executions, coverage }: Seen): string[] {
  const { distinct, worlds, faults, never, marksReached, marksMissed } = coverage;
  const lines = [
    `coverage  ${withCommas(distinct)} distinct interleaving${distinct === 1 ? '' : 's'}, ${withCommas(worlds)} distinct final state${worlds === 1 ? '' : 's'}`,
  ];
  if (marksReached.length + marksMissed.length > 0) {
    lines.push(
      `reached   ${marksReached.length} of ${marksReached.length + marksMissed.length} sometimes: ${marksReached.join(', ') || 'none'}`,
    );
  }
  if (marksMissed.length > 0) lines.push(`missed    ${marksMissed.join(', ')}: never true in any state`);
  if (never.length > 0) lines.push(`never     happened: ${never.join(', ')}`);
  for (const [kind, { happened, effective }] of Object.entries(faults)) {
    if (happened > effective)
      lines.push(
        `no effect ${kind}, ${happened - effective} of ${happened}: ${whyWithoutEffect[kind] ?? 'nothing changed'}`,
      );
  }
  if (isMonotonous(executions, distinct))
    lines.push('no choice every execution was the same: this system leaves nothing to choose');
  return lines;
}

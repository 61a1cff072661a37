import { plural } from '../text/plural.ts';
import { NOT_AGAIN } from '../minimize/minimize.ts';
import type { Tried } from '../replay/neighborhood.ts';
import type { Deviation, Recheck, Reproduced } from '../replay/recheck.ts';
import type { ReplaySample } from '../replay/sampled-replay.ts';
import { shellWord } from '../text/shell-word.ts';
import { shownPath } from '../text/shown-path.ts';
import { saveOrTell, type SavedTrace } from '../files/trace-file.ts';
import type { Trace } from '../trace/format.ts';
import { commandLines, fileLines } from '../hunt/saved-findings.ts';
import { printOut, terminalWidth } from './output/output.ts';
import { matchedLines, passingLines, timingLines, waitingLines } from './output/waiting-lines.ts';
import { printLines } from './output/lines.ts';
import { printViolation } from './output/print.ts';
import { roundTable } from './output/round-table.ts';
import { recordedLine, settingsOf, type RecordedWith } from './recorded-with.ts';
import { summaryOf } from './output/summary.ts';

/** A replayed trace and the answer. */
export interface Replayed {
  readonly path: string;
  /** As recorded. */
  readonly trace: Trace;
  readonly module: string;
  readonly recorded: readonly RecordedWith[];
  readonly found: Recheck;
  /** Why it is violated, in one sentence. */
  readonly why?: string | undefined;
}

/** Saves the executions that differ from the recorded one. */
export function savedFrom(found: Recheck, out: string): readonly SavedTrace[] {
  const traces = found.answer !== 'reproduced' ? found.others : found.deviation === undefined ? [] : [found.trace];
  return traces.map((trace) => saveOrTell(trace, out));
}

/** The exit code of one answer: whether a violation still happens, happens nearby, is gone, or is unknown. */
export function exitCodeOf(found: Recheck): number {
  if (found.answer !== 'reproduced' && found.others.length > 0) return 1;
  if (found.answer === 'diverged') return 3;
  // That it did not happen shows nothing: see `Sampled`.
  if (found.answer === 'sampled') return found.reproduced > 0 ? 1 : 3;
  return found.answer === 'reproduced' && found.trace.verdict.verdict === 'violated' ? 1 : 0;
}

export function replayJson({ path, found, recorded }: Omit<Replayed, 'trace'>, saved: readonly SavedTrace[]): object {
  const violations = saved.map(summaryOf);
  if (found.answer === 'sampled') {
    const { trace: _trace, others: _others, ...fields } = found;
    return { path, ...fields, recordedWith: recorded, others: violations, interrupted: false };
  }
  const { answer, tried } = found;
  const common = { path, answer, recordedWith: recorded, tried, interrupted: false };
  if (found.answer === 'reproduced') {
    const { verdict, events } = found.trace;
    const now = { by: found.by, verdict, events: events.length, deviation: found.deviation };
    return { ...common, ...now, saved: saved[0]?.path };
  }
  const { answer: _answer, tried: _tried, others: _others, ...rest } = found;
  const { trace: _trace, ...fields } = 'trace' in rest ? rest : { ...rest, trace: undefined };
  return { ...common, ...fields, others: violations };
}

export function printReplay(replayed: Replayed, saved: readonly SavedTrace[], isByRound = false): void {
  const { path, trace, module, recorded, found } = replayed;
  if (found.answer === 'reproduced') printReproduced(found, replayed, saved);
  else if (found.answer === 'sampled') {
    printSampled(found, path, saved);
    if (isByRound) printLines(roundTable(found, terminalWidth()));
  } else {
    printGone(found, trace, path);
    saved.forEach(printOther);
  }
  printLines(recordedLine(recorded));
  if (found.answer !== 'reproduced' && found.answer !== 'sampled')
    printLines([`next      culprit hunt ${shellWord(shownPath(module))}${settingsOf(recorded)}`]);
}

function printReproduced(
  { by, trace, deviation, tried }: Reproduced,
  { path, why }: Replayed,
  [saved]: readonly SavedTrace[],
): void {
  if (trace.verdict.verdict === 'violated') {
    printViolation(trace, { why });
    printOut(['']);
  }
  if (deviation === undefined || saved === undefined) {
    const same = `all ${trace.events.length} events of ${path} match, with the same states and messages`;
    return printLines([`replayed  reproduced: ${same}`, ...commandLines(path, ['view', 'explain'])]);
  }
  const way = by === 'stand-ins' ? 'by the same schedule' : `by neighboring schedule ${tried.schedules}`;
  printLines([
    `replayed  reproduced ${way}, but not exactly as recorded in ${path}`,
    `          ${stepOf(deviation)}`,
    ...fileLines(saved),
  ]);
}

function printSampled({ trace, ...found }: ReplaySample, path: string, others: readonly SavedTrace[]): void {
  if (trace !== undefined) {
    printViolation(trace);
    printOut(['']);
  }
  printLines([
    `replayed  ${path}: reproduced in ${rateText(found)}`,
    `control   without faults: reproduced in ${countText(found.control)}`,
    ...timingLines(found.reproduced / found.replays, asRecordedInVain(found)),
    ...waitingLines(found.waiting),
    ...passingLines(found.passing),
    ...matchedLines(found.byReplay),
    ...(found.reproduced > 0 ? [] : [`next      ${NOT_AGAIN}`]),
  ]);
  others.forEach(printOther);
}

const asRecordedInVain = ({ byReplay }: Pick<ReplaySample, 'byReplay'>): number =>
  byReplay.filter(({ outcome, asRecorded }) => outcome === 'not reproduced' && asRecorded).length;

/** `8 of 10 replays (44–97 %), 1 unknown`, with the interval of the true rate. */
export function rateText({
  interval,
  ...counts
}: Pick<ReplaySample, 'interval' | 'replays' | 'reproduced' | 'unknown'>): string {
  const [low, high] = interval.map((rate) => Math.round(rate * 100));
  return `${reproduced(counts)} (${low}–${high} %)${unknownText(counts)}`;
}

type Counts = Pick<ReplaySample, 'replays' | 'reproduced' | 'unknown'>;

const countText = (counts: Counts): string => `${reproduced(counts)}${unknownText(counts)}`;

const reproduced = (counts: Counts): string => `${counts.reproduced} of ${plural(counts.replays, 'replay')}`;

const unknownText = ({ unknown }: Counts): string => (unknown === 0 ? '' : `, ${unknown} unknown`);

function printGone(found: Exclude<Recheck, Reproduced | ReplaySample>, { verdict }: Trace, path: string): void {
  const what = verdict.verdict === 'violated' ? verdict.oracle : '';
  if (found.answer === 'fixed') {
    const all = `every recorded event still happens, and ${what} holds`;
    printLines([
      `replayed  fixed: ${path} no longer violates ${what}`,
      `          ${found.otherwise === undefined ? all : `the code now handles an event differently: ${stepOf(found.otherwise)}`}`,
    ]);
  } else
    printLines([
      `replayed  diverged at ${stepOf(found.deviation)}`,
      `          ${path} no longer runs to its end. It does not violate ${what}, but that does not show whether the bug is fixed.`,
      ...(found.hint === undefined ? [] : [`hint      ${found.hint}`]),
    ]);
  printTried(found.tried);
}

function printTried({ schedules, distinct, unknown }: Tried): void {
  const undecided = unknown === 0 ? '' : `, ${unknown} with an unknown verdict`;
  printLines([
    `tried     ${plural(schedules, 'schedule')} near the recorded one, ${distinct} distinct: none violates it${undecided}`,
  ]);
}

function printOther(saved: SavedTrace): void {
  printOut(['']);
  printViolation(saved.trace);
  printOut(['']);
  printLines(['other     a nearby schedule has a different violation', ...fileLines(saved)]);
}

const stepOf = ({ event, what }: Deviation): string => `step ${event}: ${what}`;

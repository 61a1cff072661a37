import { CulpritError } from '../error.ts';
import { ReplayDiverged } from '../schedule/replay/exact-replay.ts';
import { FileProblem } from '../files/file-problem.ts';
import { plural } from '../text/plural.ts';
import { BadTrace } from '../trace/file.ts';
import { tracesIn } from '../files/trace-file.ts';
import type { VerdictLine } from '../trace/format.ts';
import { stemOf } from './finding-output.ts';
import { reportToGitHub, type GitHubViolation } from './output/github.ts';
import { printJson } from './output/output.ts';
import { printLines } from './output/lines.ts';
import { exitCodeOf, replayJson, rateText, type Replayed } from './replay-one.ts';

/** A folder without a trace. */
class NothingToReplay extends CulpritError {
  readonly code = 'NOTHING_TO_REPLAY';
}

/** The result of one trace: a few words, and the group in which a summary counts it. */
interface ReplayLine {
  readonly path: string;
  readonly outcome: ReplayOutcome;
  /** The text after the outcome. */
  readonly detail: string;
  readonly exitCode: number;
  readonly json: object;
  /** The violations that still happen. */
  readonly violations: readonly GitHubViolation[];
}

type ReplayOutcome =
  | 'reproduced'
  | 'diverged'
  | 'other violation'
  | 'no violation any more'
  | 'not reproduced'
  | 'as recorded'
  | 'cannot be read'
  | 'cannot be replayed';

/** The traces of a folder. A minimized trace replaces the trace it was made from. */
export function tracesToReplay(folder: string): string[] {
  const all = tracesIn(folder);
  if (all.length === 0)
    throw new NothingToReplay(
      `there is no trace in ${folder}.`,
      'Find one with `culprit hunt`, or give the path of a trace or of a folder with traces.',
    );
  const minimized = new Set(all.filter(isMinimized).map(stemOf));
  return all.filter((path) => isMinimized(path) || !minimized.has(stemOf(path)));
}

const isMinimized = (path: string): boolean => /\.min\.trace(\.gz)?$/.test(path);

/** The results of a folder so far. */
export class ReplayedAll {
  readonly lines: ReplayLine[] = [];

  constructor(
    private readonly folder: string,
    private readonly total: number,
    private readonly json: boolean,
  ) {
    if (!json) printLines([`replay    ${plural(total, 'trace')} in ${folder}`]);
  }

  /** Replays one trace. An error becomes one line among the others. */
  async add(path: string, replay: () => Promise<Replayed>): Promise<void> {
    const line = await replay().then(answered, (error: unknown) => failed(path, error));
    this.lines.push(line);
    const { outcome, detail } = line;
    if (!this.json) printLines([`          ${path}  ${outcome}${detail}`]);
  }

  /** The worst of all results: a violation, a trace that could not be replayed, an unknown verdict. */
  get exitCode(): number {
    const codes = this.lines.map(({ exitCode }) => exitCode);
    return [1, 2, 3].find((code) => codes.includes(code)) ?? 0;
  }

  end(interrupted: boolean): void {
    if (this.json) printJson('replay', this.reportJson(interrupted));
    else if (interrupted)
      printLines([`stopped   after ${this.lines.length} of ${plural(this.total, 'trace')}: ${this.counts()}`]);
    else printLines([`summary   ${plural(this.total, 'trace')}: ${this.counts()}`]);
    reportToGitHub(this.lines.flatMap(({ violations }) => violations));
  }

  private counts(): string {
    const counts = this.counted();
    return [...counts].map(([outcome, count]) => `${count} ${outcome}`).join(', ') || 'none replayed';
  }

  private counted(): Map<ReplayOutcome, number> {
    const counts = new Map<ReplayOutcome, number>();
    for (const { outcome } of this.lines) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
    return counts;
  }

  private reportJson(interrupted: boolean): object {
    const { folder, total, lines } = this;
    const summary = Object.fromEntries(this.counted());
    return { folder, total, traces: lines.map(({ json }) => json), summary, interrupted };
  }
}

function answered(replayed: Replayed): ReplayLine {
  const { path, found } = replayed;
  const of = (outcome: ReplayOutcome, detail = ''): ReplayLine => {
    const violations = violationsIn(replayed);
    const texts = violations.map(({ trace }) => verdictText(trace.verdict));
    const json = { ...replayJson(replayed, []), outcome, violations: texts };
    return { path, outcome, detail, exitCode: exitCodeOf(found), json, violations };
  };
  const deviation = (event: number, what: string): string => ` at event ${event}: ${what}`;
  if (found.answer === 'reproduced') {
    const { verdict } = found.trace;
    if (verdict.verdict !== 'violated') return of('as recorded', `: ${verdict.verdict}`);
    return of('reproduced', `${found.deviation === undefined ? '' : ', but not exactly'}: ${verdictText(verdict)}`);
  }
  if (found.answer === 'sampled' && found.reproduced > 0) return of('reproduced', `: in ${rateText(found)}`);
  const [other] = found.others;
  if (other !== undefined) return of('other violation', `: ${verdictText(other.verdict)}`);
  if (found.answer === 'sampled') return of('not reproduced', `: in ${rateText(found)}`);
  if (found.answer === 'fixed') return of('no violation any more');
  const { deviation: where, hint } = found;
  return of('diverged', `${deviation(where.event, where.what)}${hint === undefined ? '' : ` (${hint})`}`);
}

function failed(path: string, error: unknown): ReplayLine {
  if (!(error instanceof CulpritError)) throw error;
  const { message, next } = error;
  const json = { path, error: { message, next }, interrupted: false };
  if (error instanceof ReplayDiverged) {
    const { event, what } = error;
    const diverged = { ...json, answer: 'diverged', outcome: 'diverged', deviation: { event, what } };
    return {
      path,
      outcome: 'diverged',
      detail: ` at event ${event}: ${what}`,
      exitCode: 3,
      json: diverged,
      violations: [],
    };
  }
  const outcome = error instanceof BadTrace || error instanceof FileProblem ? 'cannot be read' : 'cannot be replayed';
  return {
    path,
    outcome,
    detail: `: ${message}`,
    exitCode: 2,
    json: { ...json, answer: 'unknown', outcome },
    violations: [],
  };
}

const verdictText = (verdict: VerdictLine): string =>
  verdict.verdict === 'violated' ? `${verdict.oracle}: ${verdict.message}` : verdict.verdict;

/** The violations that still happen. Others than the recorded one are saved when the trace is replayed by itself. */
function violationsIn({ path, found }: Replayed): GitHubViolation[] {
  const again = found.answer === 'reproduced' || found.answer === 'sampled' ? found.trace : undefined;
  const others = found.answer === 'reproduced' ? [] : found.others;
  const traces = [...(again === undefined ? [] : [again]), ...others];
  return traces.filter(({ verdict }) => verdict.verdict === 'violated').map((trace) => ({ trace, path }));
}

import { appendFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { exportTrace } from '../../export/export-trace.ts';
import { violationLines } from '../../explain/violation.ts';
import { FileProblem } from '../../files/file-problem.ts';
import { commandLines } from '../../hunt/saved-findings.ts';
import { printable } from '../../text/printable.ts';
import type { Trace } from '../../trace/format.ts';
import { labeled, printErrorLines } from './lines.ts';
import { printError } from './output.ts';

/** A violation as GitHub shows it. */
export interface GitHubViolation {
  readonly trace: Trace;
  /** The file of the trace, for commands to paste. */
  readonly path: string;
  /** Why it is violated, in one sentence. */
  readonly why?: string | undefined;
}

/**
 * In a workflow of GitHub: annotates the module of the system with each violation, and adds its story and a diagram to the summary of the
 * step. GitHub reads annotations from standard error, too, so that standard output has the results alone.
 */
export function reportToGitHub(violations: readonly GitHubViolation[]): void {
  if (process.env['GITHUB_ACTIONS'] !== 'true') return;
  printError(violations.map(annotation));
  const summary = process.env['GITHUB_STEP_SUMMARY'];
  if (summary === undefined || violations.length === 0) return;
  try {
    appendFileSync(summary, violations.map(summaryOf).join('\n'));
  } catch (error) {
    const { message, next } = new FileProblem(summary, 'written', error, 'The annotations of this step are complete.');
    printErrorLines(labeled('unsaved', `${message} ${next}`));
  }
}

/** `::error file=lock.system.ts,title=mutualExclusion::client-1 and client-3 both hold the lock` */
export function annotation({ trace: { header, verdict }, path, why }: GitHubViolation): string {
  if (verdict.verdict !== 'violated') return '';
  const [place = ''] = verdict.at ?? [];
  const [, file = header.module ?? path, line] = /^(.*?):(\d+)/.exec(place) ?? [];
  const where = { file: fromWorkspace(file), ...(line === undefined ? {} : { line }), title: verdict.oracle };
  const properties = Object.entries(where).map(([name, value]) => `${name}=${escaped(value, /[%\r\n:,]/g)}`);
  const text = [verdict.message, ...(why === undefined ? [] : [why]), `npx culprit view ${path}`].join('\n');
  return `::error ${properties.join(',')}::${escaped(text, /[%\r\n]/g)}`;
}

/** GitHub reads these characters as the end of a part. */
const escaped = (text: string, special: RegExp): string =>
  text.replaceAll(special, (sign) => `%${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(2, '0')}`);

const fromWorkspace = (file: string): string => {
  const workspace = process.env['GITHUB_WORKSPACE'];
  return workspace === undefined ? file : relative(workspace, resolve(file)).replaceAll('\\', '/');
};

/** GitHub draws no larger diagram. */
const DIAGRAM_MAX = 50_000;

/** The violation as Markdown. */
export function summaryOf({ trace, path, why }: GitHubViolation): string {
  const diagram = exportTrace(trace, 'mermaid');
  const story = [...violationLines(trace, { why }), '', ...commandLines(path)].map(printable).join('\n');
  return [
    '### culprit found a violation',
    '',
    fenced('text', story),
    '',
    ...(diagram.length > DIAGRAM_MAX ? [] : [fenced('mermaid', diagram.trimEnd()), '']),
  ].join('\n');
}

/** A block of code whose fence is longer than any in the text. */
function fenced(language: string, text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

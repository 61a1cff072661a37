import { Command } from 'commander';
import { pointers } from '../hunt.ts';
import { plural } from '../plural.ts';
import { defaultStrategy, search, type Finding, type SearchProgress, type SearchReport } from '../search.ts';
import { SearchEnded } from '../search-ended.ts';
import { saveTrace, shownPath } from '../trace-file.ts';
import type { Weights } from '../kernel/weights.ts';
import type { System } from '../targets/actors/system.ts';
import { doubts, isCovered } from '../explain/doubts.ts';
import { loadSystem } from '../load-system.ts';
import { printViolation } from './print.ts';
import { Progress } from './progress.ts';
import { atLeast, collectSetting, collectWeight, workerCount } from './settings.ts';
import { style } from './style.ts';

interface Options {
  readonly seed: number;
  readonly executions: number;
  readonly events: number;
  readonly violations: number;
  readonly seconds?: number;
  readonly strategy: string;
  readonly weight?: Weights;
  readonly workers: number | 'auto';
  readonly set: Readonly<Record<string, string>>;
  readonly out: string;
  readonly requireCoverage: boolean;
  readonly json: boolean;
}

export const huntCommand = (): Command =>
  new Command('hunt')
    .description('look for an execution that violates an invariant')
    .argument('<system>', 'a module that exports a system by default')
    .option('--seed <n>', 'the first seed; each execution takes the next', atLeast(0), 0)
    .option('--executions <n>', 'how many executions to try', atLeast(1), 10_000)
    .option('--seconds <n>', 'how long to try', atLeast(1))
    .option('--violations <n>', 'how many different violations to look for', atLeast(1), 1)
    .option('--events <n>', 'how many events an execution may have', atLeast(1), 1_000)
    .option(
      '--strategy <names>',
      'random, pos, round-robin, pct:<depth>, pctcp:<depth>; several take turns',
      defaultStrategy,
    )
    .option(
      '--weight <kind=n>',
      'how likely events of a kind are chosen, instead of what the system declares; others weigh 1, timers (fire) 0.25',
      collectWeight,
    )
    .option(
      '--workers <n>',
      'how many threads share the work; auto: one for each processor, once a hunt has lasted for a second',
      workerCount,
      'auto',
    )
    .option('--set <name=value>', 'set a parameter of the system', collectSetting, {})
    .option('--out <folder>', 'where to save the trace', '.culprit')
    .option('--json', 'print one JSON object instead, for machines', false)
    .option(
      '--require-coverage',
      'exit with 3 where nothing is found and nothing says that it was looked for: see README',
      false,
    )
    .addHelpText(
      'after',
      '\nExamples:\n  culprit hunt ./lock.system.ts\n  culprit hunt ./raft.system.ts --set nodes=5 --seconds 60 --strategy pos,pct:4\n  culprit hunt ./raft.system.ts --weight fire=0.05 --weight deliver=2',
    )
    .action(run);

async function run(path: string, options: Options): Promise<void> {
  const { system, module } = await loadSystem(path);
  const { seed, strategy, out, json } = options;
  if (!json) process.stdout.write(`${style.quiet('hunt')}      ${module}, from seed ${seed}, by ${strategy}\n`);
  const startedMs = performance.now();
  const interruption = new AbortController();
  // Once: a second Ctrl-C ends the process as usual.
  process.once('SIGINT', () => interruption.abort());
  const { report, failure } = await searched(system, module, options, interruption.signal);
  const saved = report.findings.map((finding) => ({ finding, path: shownPath(saveTrace(finding.trace, out)) }));
  const took = (performance.now() - startedMs) / 1000;
  if (json) process.stdout.write(`${JSON.stringify(forMachines(report, saved, took, failure))}\n`);
  else forPeople(report, saved, took, failure);
  if (failure !== undefined) throw failure;
  const { aborted } = interruption.signal;
  if (aborted && !json)
    process.stdout.write(`${style.quiet('go on')}     culprit hunt ${path} --seed ${report.nextSeed}\n`);
  if (saved.length > 0) process.exitCode = 1;
  else if (aborted) process.exitCode = 130;
  else if (options.requireCoverage && !isCovered(report)) process.exitCode = 3;
}

interface Searched {
  readonly report: SearchReport;
  /** Why it could not go on: it has a report all the same. */
  readonly failure?: SearchEnded;
}

async function searched(system: System, module: string, options: Options, signal: AbortSignal): Promise<Searched> {
  const { seed, executions, seconds, violations, events, strategy, weight, workers, set } = options;
  const limits = { seed, executions, violations, eventsMax: events, ...(seconds === undefined ? {} : { seconds }) };
  const manner = { strategy, workers, ...(weight === undefined ? {} : { weights: weight }) };
  const progress = new Progress(process.stderr);
  const onProgress = (state: SearchProgress): void => progress.show(state);
  try {
    return { report: await search(system, { ...limits, ...manner, set, module, onProgress, signal }) };
  } catch (error) {
    if (!(error instanceof SearchEnded)) throw error;
    return { report: error.report, failure: error };
  } finally {
    progress.end();
  }
}

interface Saved {
  readonly finding: Finding;
  readonly path: string;
}

function forPeople(
  report: SearchReport,
  saved: readonly Saved[],
  seconds: number,
  failure: SearchEnded | undefined,
): void {
  for (const { finding, path } of saved) printFinding(finding, path);
  if (failure === undefined) printTotals(report, seconds.toFixed(1));
}

function forMachines(
  { executions, unknown, whyUnknown, events, nextSeed, coverage }: SearchReport,
  saved: readonly Saved[],
  seconds: number,
  failure: SearchEnded | undefined,
): object {
  const findings = saved.map(({ finding: { trace, strategy, executions: after }, path }) => {
    const { name: _name, ending: _ending, verdict: _verdict, ...violated } = trace.verdict;
    return { ...violated, seed: trace.header.seed, strategy, executions: after, events: trace.events.length, path };
  });
  const error = failure && { message: failure.message, next: failure.next, seed: failure.seed };
  return { findings, executions, unknown, whyUnknown, events, nextSeed, seconds, coverage, error };
}

function printFinding({ trace, strategy, executions }: Finding, path: string): void {
  printViolation(trace);
  const found = `found     by seed ${trace.header.seed}, ${strategy}, after ${plural(executions, 'execution')}`;
  const lines = ['', found, ...pointers(path)].map((line) => line.replace(/^\w+/, style.quiet));
  process.stdout.write(`${lines.join('\n')}\n`);
}

function printTotals(report: SearchReport, seconds: string): void {
  const { findings, executions, unknown, events } = report;
  const undecided = unknown === 0 ? '' : ` (of ${unknown} of them nobody knows)`;
  const tried = `${plural(executions, 'execution')}${undecided}, ${plural(events, 'event')}, ${seconds} s`;
  if (findings.length > 0) process.stdout.write(`${style.quiet('tried')}     ${tried}\n`);
  else {
    process.stdout.write(
      `${style.good('nothing')}   found in ${tried}\n` +
        `          That is no proof: other orders may still fail. Try more with --executions and --events.\n`,
    );
  }
  if (report.whyUnknown !== undefined) process.stdout.write(`${style.quiet('unknown')}   ${report.whyUnknown}\n`);
  for (const line of doubts(report)) process.stdout.write(`${line.replace(/^\w+/, style.quiet)}\n`);
}

import { Command } from 'commander';
import { pointers } from '../hunt.ts';
import { defaultStrategy, search, type Finding, type SearchReport } from '../search.ts';
import { saveTrace, shownPath } from '../trace-file.ts';
import { doubts } from '../explain/doubts.ts';
import { loadSystem } from './load-system.ts';
import { printViolation } from './print.ts';
import { collectSetting, wholeNumber } from './settings.ts';
import { style } from './style.ts';

interface Options {
  readonly seed: number;
  readonly executions: number;
  readonly events: number;
  readonly violations: number;
  readonly seconds?: number;
  readonly strategy: string;
  readonly set: Readonly<Record<string, string>>;
  readonly out: string;
  readonly requireCoverage: boolean;
}

export const huntCommand = (): Command =>
  new Command('hunt')
    .description('look for an execution that violates an invariant')
    .argument('<system>', 'a module that exports a system by default')
    .option('--seed <n>', 'the first seed; each execution takes the next', wholeNumber, 1)
    .option('--executions <n>', 'how many executions to try', wholeNumber, 10_000)
    .option('--seconds <n>', 'how long to try', wholeNumber)
    .option('--violations <n>', 'how many different violations to look for', wholeNumber, 1)
    .option('--events <n>', 'how many events an execution may have', wholeNumber, 1_000)
    .option(
      '--strategy <names>',
      'random, pos, round-robin, pct:<depth>, pctcp:<depth>; several take turns',
      defaultStrategy,
    )
    .option('--set <name=value>', 'set a parameter of the system', collectSetting, {})
    .option('--out <folder>', 'where to save the trace', '.culprit')
    .option('--require-coverage', 'exit with 3 where nothing is found and a `sometimes` was never reached', false)
    .addHelpText(
      'after',
      '\nExamples:\n  culprit hunt ./lock.system.ts\n  culprit hunt ./raft.system.ts --set nodes=5 --seconds 60 --strategy pos,pct:4',
    )
    .action(run);

async function run(
  path: string,
  { seed, executions, seconds, violations, events, strategy, set, out, requireCoverage }: Options,
): Promise<void> {
  const { system, module } = await loadSystem(path);
  process.stdout.write(`${style.quiet('hunt')}      ${module}, from seed ${seed}, by ${strategy}\n`);
  const startedMs = performance.now();
  const limits = { seed, executions, violations, eventsMax: events, ...(seconds === undefined ? {} : { seconds }) };
  const report = await search(system, { ...limits, strategy, set, module });
  const took = ((performance.now() - startedMs) / 1000).toFixed(1);
  for (const finding of report.findings) printFinding(finding, shownPath(saveTrace(finding.trace, out)));
  printTotals(report, took);
  for (const line of doubts(report)) process.stdout.write(`${line.replace(/^\w+/, style.quiet)}\n`);
  if (report.findings.length > 0) process.exitCode = 1;
  else if (requireCoverage && report.coverage.marksMissed.length > 0) process.exitCode = 3;
}

function printFinding({ trace, strategy, executions }: Finding, path: string): void {
  printViolation(trace);
  const found = `found     by seed ${trace.header.seed}, ${strategy}, after ${plural(executions, 'execution')}`;
  const lines = ['', found, ...pointers(path)].map((line) => line.replace(/^\w+/, style.quiet));
  process.stdout.write(`${lines.join('\n')}\n`);
}

function printTotals({ findings, executions, unknown, events }: SearchReport, seconds: string): void {
  const undecided = unknown === 0 ? '' : ` (of ${unknown} of them nobody knows)`;
  const tried = `${plural(executions, 'execution')}${undecided}, ${plural(events, 'event')}, ${seconds} s`;
  if (findings.length > 0) process.stdout.write(`${style.quiet('tried')}     ${tried}\n`);
  else {
    process.stdout.write(
      `${style.good('nothing')}   found in ${tried}\n` +
        `          That is no proof: other orders may still fail. Try more with --executions and --events.\n`,
    );
  }
}

const plural = (count: number, noun: string): string =>
  `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;

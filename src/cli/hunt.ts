import { relative } from 'node:path';
import { Command } from 'commander';
import { hunt, type HuntReport } from '../hunt.ts';
import { saveTrace } from '../trace-file.ts';
import { loadSystem } from './load-system.ts';
import { printViolation } from './print.ts';
import { collectSetting, wholeNumber } from './settings.ts';
import { style } from './style.ts';

interface Options {
  readonly seed: number;
  readonly executions: number;
  readonly events: number;
  readonly set: Readonly<Record<string, string>>;
  readonly out: string;
}

export const huntCommand = (): Command =>
  new Command('hunt')
    .description('look for an execution that violates an invariant')
    .argument('<system>', 'a module that exports a system by default')
    .option('--seed <n>', 'the first seed; each execution takes the next', wholeNumber, 1)
    .option('--executions <n>', 'how many executions to try', wholeNumber, 10_000)
    .option('--events <n>', 'how many events an execution may have', wholeNumber, 1_000)
    .option('--set <name=value>', 'set a parameter of the system', collectSetting, {})
    .option('--out <folder>', 'where to save the trace', '.culprit')
    .addHelpText(
      'after',
      '\nExamples:\n  culprit hunt ./lock.system.ts\n  culprit hunt ./raft.system.ts --set nodes=5 --seed 100 --executions 100000',
    )
    .action(run);

async function run(path: string, { seed, executions, events, set, out }: Options): Promise<void> {
  const { system, module } = await loadSystem(path);
  process.stdout.write(`${style.quiet('hunt')}      ${module}, from seed ${seed}\n`);
  const startedMs = performance.now();
  const report = await hunt(system, { seed, executions, eventsMax: events, set, module });
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  if (report.trace === undefined) return printNothing(report, seconds);
  printViolation(report.trace);
  const saved = relative('', saveTrace(report.trace, out));
  process.stdout.write(
    `\n${style.quiet('found')}     by seed ${report.trace.header.seed}, after ${plural(report.executions, 'execution')} in ${seconds} s\n` +
      `${style.quiet('saved')}     ${saved}\n${style.quiet('again')}     npx culprit replay ${saved}\n`,
  );
  process.exitCode = 1;
}

function printNothing({ executions, unknown, events }: HuntReport, seconds: string): void {
  const undecided = unknown === 0 ? '' : ` (of ${unknown} of them nobody knows)`;
  process.stdout.write(
    `${style.good('nothing')}   found in ${plural(executions, 'execution')}${undecided}, ${plural(events, 'event')}, ${seconds} s\n` +
      `          That is no proof: other orders may still fail. Try more with --executions and --events.\n`,
  );
}

const plural = (count: number, noun: string): string =>
  `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;

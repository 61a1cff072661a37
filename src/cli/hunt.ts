import { Command } from 'commander';
import { isCovered } from '../coverage/coverage-lines.ts';
import { loadSystem } from '../system/load-system.ts';
import { search } from '../hunt/search.ts';
import { defaultStrategy } from '../hunt/options.ts';
import type { SearchProgress, SearchReport } from '../hunt/report.ts';
import { SearchEnded } from '../hunt/search-ended.ts';
import type { Weights } from '../kernel/options/weights.ts';
import type { System } from '../system/definition.ts';
import { exitWith } from './output/exit-code.ts';
import { goOnFrom } from './resume.ts';
import { forMachines, forPeople } from './hunt-report.ts';
import { Interruption } from './interruption.ts';
import { keep, unsavedIn } from './saved-findings.ts';
import { LiveView } from './output/live-view.ts';
import { mustBeSaved } from './output/not-saved.ts';
import { sayJson } from './output/output.ts';
import { printLines } from './output/print.ts';
import { huntingLine, Progress } from './output/progress.ts';
import { atLeast, collectSetting, collectWeight, workerCount } from './settings.ts';

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
  readonly minimize: boolean;
  readonly minimizeSeconds: number;
  readonly requireCoverage: boolean;
  readonly json: boolean;
  readonly view: boolean;
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
    .option('--minimize-seconds <n>', 'how long to make each violation smaller', atLeast(1), 10)
    .option('--no-minimize', 'leave violations as they were found')
    .option('--view', 'show in the browser how it is getting on, and what is found as it shrinks', false)
    .option('--json', 'print one JSON object instead, for machines', false)
    .option(
      '--require-coverage',
      'exit with 3 where nothing is found and nothing says that it was looked for: see README',
      false,
    )
    .addHelpText(
      'after',
      `
After Ctrl-C it says how far it came, saves what it found, and names the command that goes on (exit code 130, or 1 where it
found a violation; 143 instead of 130 after SIGTERM). A second Ctrl-C ends it at once.

Examples:
  culprit hunt ./lock.system.ts
  culprit hunt ./raft.system.ts --set nodes=5 --seconds 60 --strategy pos,pct:4
  culprit hunt ./raft.system.ts --weight fire=0.05 --weight deliver=2`,
    )
    .action(run);

async function run(path: string, options: Options): Promise<void> {
  const { system, module } = await loadSystem(path);
  const { seed, strategy, json } = options;
  const interruption = Interruption.listening();
  if (!json) printLines([`hunt      ${module}, from seed ${seed}, by ${strategy}`]);
  await LiveView.during(`hunt ${module}`, options.view, (live) =>
    hunt(system, module, { ...options, live }, interruption),
  );
}

async function hunt(system: System, module: string, options: Watched, interruption: Interruption): Promise<void> {
  const { json, live } = options;
  const startedMs = performance.now();
  const { report, failure } = await searched(system, module, options, interruption.signal);
  const seconds = (performance.now() - startedMs) / 1000;
  // What had come to its end before the signal was heard is a result like any other.
  const interrupted = interruption.isStopped && !isDone(report, options);
  const kept = await keep(system, report.findings, options, interruption.signal);
  await live?.end(interrupted ? 'stopped' : kept.length > 0 ? 'done' : 'found nothing');
  const bounds = { executions: options.executions, seconds: options.seconds, violations: options.violations };
  const hunted = { report, kept, seconds, failure, bounds, interrupted };
  if (json) sayJson(forMachines(hunted));
  else forPeople(hunted);
  if (failure !== undefined) throw failure;
  mustBeSaved(unsavedIn(kept));
  if (interrupted && !json) printLines([`go on     ${goOnFrom(report.nextSeed, process.argv.slice(2))}`]);
  if (kept.length > 0) exitWith(1);
  else if (interrupted) exitWith(interruption.exitCode);
  else if (options.requireCoverage && !isCovered(report)) exitWith(3);
}

const isDone = ({ executions, findings }: SearchReport, options: Options): boolean =>
  executions >= options.executions || findings.length >= options.violations;

type Watched = Options & { readonly live: LiveView | undefined };

interface Searched {
  readonly report: SearchReport;
  /** Why it could not go on: it has a report all the same. */
  readonly failure?: SearchEnded;
}

async function searched(system: System, module: string, options: Watched, signal: AbortSignal): Promise<Searched> {
  const { seed, executions, seconds, violations, events, strategy, weight, workers, set } = options;
  const limits = { seed, executions, violations, eventsMax: events, ...(seconds === undefined ? {} : { seconds }) };
  const manner = { strategy, workers, ...(weight === undefined ? {} : { weights: weight }) };
  const progress = new Progress(process.stderr);
  const onProgress = (state: SearchProgress): void => {
    progress.show(huntingLine(state), state.elapsedMs);
    options.live?.progress(huntingLine(state));
  };
  try {
    return { report: await search(system, { ...limits, ...manner, set, module, onProgress, signal }) };
  } catch (error) {
    if (!(error instanceof SearchEnded)) throw error;
    return { report: error.report, failure: error };
  } finally {
    progress.end();
  }
}

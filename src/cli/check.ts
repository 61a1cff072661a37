import { Command } from 'commander';
import { aboutCheck, check } from '../check/check.ts';
import type { CheckOptions } from '../check/options.ts';
import type { CheckProgress, CheckReport } from '../check/report.ts';
import { searchNames, type SearchName } from '../check/searches.ts';
import { CheckEnded } from '../check/check-ended.ts';
import type { SavedCheck } from '../check/checkpoint.ts';
import { loadSystem } from '../system/load-system.ts';
import { policyNames, type Policy } from '../check/reduce/policies.ts';
import type { System } from '../system/definition.ts';
import { forMachines, forPeople, JSON_FIELDS, type Checked } from './check-report.ts';
import { CheckpointFile, Keeping } from './checkpoint-file.ts';
import { exitWith } from './output/exit-code.ts';
import { goOnWith } from './resume.ts';
import { Interruption } from './interruption.ts';
import { keep, unsavedIn } from './saved-findings.ts';
import { mustBeSaved } from './output/not-saved.ts';
import { sayJson } from './output/output.ts';
import { printLines } from './output/print.ts';
import { checkingLine, Progress } from './output/progress.ts';
import { atLeast, collectSetting } from './settings.ts';

interface Options {
  readonly search: string;
  readonly reduce: readonly string[];
  readonly weigh: readonly string[];
  readonly audit: boolean;
  readonly crashes?: number;
  readonly restarts?: number;
  readonly cuts?: number;
  readonly events: number;
  readonly preemptions?: number;
  readonly seed: number;
  readonly executions: number;
  readonly seconds?: number;
  readonly violations: number;
  readonly workers: number;
  readonly set: Readonly<Record<string, string>>;
  readonly out: string;
  readonly minimize: boolean;
  readonly minimizeSeconds: number;
  readonly anew: boolean;
  readonly json: boolean;
}

export const checkCommand = (): Command =>
  new Command('check')
    .description('look at every execution within bounds, up to the order of independent events')
    .argument('<system>', 'a module that exports a system by default')
    .option('--crashes <n>', 'crashes in one execution, at most; by default what the system declares', atLeast(0))
    .option('--restarts <n>', 'the same for restarts', atLeast(0))
    .option('--cuts <n>', 'the same for cuts', atLeast(0))
    .option('--events <n>', 'how many events an execution may have', atLeast(1), 200)
    .option('--search <name>', `how executions are gone through: ${searchNames.join(', ')}`, 'dpor')
    .option(
      '--preemptions <n>',
      'with depth and deepening: how often a process that could go on may be left',
      atLeast(0),
    )
    .option('--reduce <names>', `what is left out by rules of the system: ${policyNames.join(', ')}`, namesIn, [])
    .option('--weigh <names>', 'say how few executions each of these would have left, and leave none out', namesIn, [])
    .option('--audit', 'look at every claim that a rule makes, instead of one in 100', false)
    .option('--seed <n>', 'draws what the workload generates and what handlers draw', atLeast(0), 0)
    .option('--executions <n>', 'how many executions to look at', atLeast(1), 1_000_000)
    .option('--seconds <n>', 'how long to look', atLeast(1))
    .option('--violations <n>', 'how many different violations to look for', atLeast(1), 1)
    .option(
      '--workers <n>',
      'how many threads share the work, with dpor, flips, blackbox and blackbox-flips',
      atLeast(1),
      1,
    )
    .option('--set <name=value>', 'set a parameter of the system', collectSetting, {})
    .option('--out <folder>', 'where to save the trace', '.culprit')
    .option('--minimize-seconds <n>', 'how long to make each violation smaller', atLeast(1), 10)
    .option('--no-minimize', 'leave violations as they were found')
    .option('--anew', 'ignore saved progress and start over', false)
    .option('--json', 'print one JSON object instead, for machines', false)
    .addHelpText('after', HELP)
    .action(run);

const namesIn = (text: string): string[] => text.split(',').map((name) => name.trim());

const HELP = `
Answers:
  holds     no violation within these bounds, which are named                    (exit code 0)
  violated  the minimized execution is told, and saved                           (exit code 1)
  unknown   not everything could be looked at, or judged; it says why            (exit code 3)
  stopped   by Ctrl-C after so many executions: unknown, too                     (exit code 130; 143 after SIGTERM)

What is left when it is stopped, killed, or has spent its budget is kept as <out>/<system>-<digest>.check: the same command
goes on from there. Each combination of system, parameters, bounds and search has a file of its own. Where the system has
changed since, the check starts over. A second Ctrl-C ends it at once. With --weigh nothing is kept.

Examples:
  culprit check ./lock.system.ts
  culprit check ./raft.system.ts --set nodes=3 --crashes 1 --restarts 1 --seconds 600
  culprit check ./raft.system.ts --weigh messages,crashes --executions 3000
  culprit check ./raft.system.ts --reduce messages,crashes --audit

--json has ${JSON_FIELDS}.`;

async function run(path: string, options: Options): Promise<void> {
  const { system, module, code } = await loadSystem(path);
  const { json, search, reduce, weigh, out, anew } = options;
  const rules = reduce.length === 0 ? '' : `, reduced by ${reduce.join(', ')}`;
  const interruption = Interruption.listening();
  if (!json) printLines([`check     ${module}, by ${search}${rules}`]);
  const asked = { ...optionsOf(options), module };
  const file = new CheckpointFile(out, { module, code, about: aboutCheck(system, asked) });
  // Nothing that was looked at before can be weighed, nor anything be gone on with.
  const isKept = weigh.length === 0;
  const from = anew || !isKept ? undefined : loaded(file, json);
  const keeping = new Keeping(file);
  const onSave = (saved?: SavedCheck): void => keeping.keep(saved);
  const saving = { ...(from === undefined ? {} : { from }), ...(isKept ? { onSave } : {}) };
  const { report, failure } = await checked(system, { ...asked, ...saving, signal: interruption.signal });
  const isLeft = (): boolean => isKept && keeping.problem === undefined && file.isThere;
  const interrupted = interruption.isStopped && !isDone(report, options);
  const kept = await keep(system, report.findings, options, interruption.signal);
  const all = {
    search: search as SearchName,
    report,
    kept,
    interrupted,
    bounds: boundsFrom(options, from),
    failure,
    checkpoint: isLeft() ? file.path : undefined,
  };
  if (json) sayJson(forMachines(all));
  else forPeople(all);
  if (failure !== undefined) throw failure;
  mustBeSaved(unsavedIn(kept));
  if (report.verdict === 'unknown') keeping.mustBeKept();
  if (isLeft() && !json) printLines([`go on     ${goOnWith(process.argv.slice(2))}`]);
  exitWith(exitCodeOf(report, interrupted ? interruption.exitCode : undefined));
}

/** What came to its end before the signal was heard is a result like any other. */
const isDone = ({ plans, plansDone, findings }: CheckReport, { violations }: Options): boolean =>
  plansDone === plans || findings.length >= violations;

/** What the same check has left, if it did. Says where it is from, or what else was left. */
function loaded(file: CheckpointFile, json: boolean): SavedCheck | undefined {
  const { from, stale } = file.load();
  if (json) return from;
  if (from !== undefined) printLines([`goes on   from ${file.path}`]);
  else if (stale !== undefined) printLines([`starts    over: ${file.path} is of no use any more, as ${stale}`]);
  else printLines(file.others().map(({ path, had }) => `left      ${path}, by another check: with ${had}`));
  return from;
}

/** What may be spent, with what was spent before it was gone on with. */
function boundsFrom({ executions, seconds }: Options, from: SavedCheck | undefined): Checked['bounds'] {
  const before = from?.plans.reduce((sum, plan) => sum + plan.executions, 0) ?? 0;
  const beforeSeconds = (from?.elapsedMs ?? 0) / 1000;
  return { executions: before + executions, seconds: seconds === undefined ? undefined : beforeSeconds + seconds };
}

function exitCodeOf({ verdict }: CheckReport, stopped: number | undefined): number {
  if (verdict === 'violated') return 1;
  if (verdict === 'holds') return 0;
  return stopped ?? 3;
}

/** Each policy by itself, and all together. */
const eachAndAll = (policies: readonly Policy[]): Policy[][] => [
  ...policies.map((policy) => [policy]),
  ...(policies.length > 1 ? [[...policies]] : []),
];

interface Ended {
  readonly report: CheckReport;
  /** Why it could not go on: it has a report all the same. */
  readonly failure: CheckEnded | undefined;
}

async function checked(system: System, options: CheckOptions): Promise<Ended> {
  const progress = new Progress(process.stderr);
  const onProgress = (state: CheckProgress): void => progress.show(checkingLine(state), state.elapsedMs);
  try {
    return { report: await check(system, { ...options, onProgress }), failure: undefined };
  } catch (error) {
    if (!(error instanceof CheckEnded)) throw error;
    return { report: error.report, failure: error };
  } finally {
    progress.end();
  }
}

function optionsOf(options: Options): CheckOptions {
  const { crashes, restarts, cuts, events, preemptions, seconds, seed, executions, violations, workers, audit, set } =
    options;
  const faults = Object.fromEntries(
    Object.entries({ crashes, restarts, cuts }).filter(([, budget]) => budget !== undefined),
  );
  const limits = {
    seed,
    executions,
    violations,
    workers,
    eventsMax: events,
    ...(preemptions === undefined ? {} : { preemptions }),
    ...(seconds === undefined ? {} : { seconds }),
  };
  // Names that are none are told by whoever knows them.
  const names = { search: options.search as SearchName, reduce: options.reduce as Policy[] };
  return { ...limits, ...names, weigh: eachAndAll(options.weigh as Policy[]), audit, faults, set };
}

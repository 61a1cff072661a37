import { Command } from 'commander';
import { aboutCheck, checkWith } from '../check/check.ts';
import { checkOptions, type CheckOptions } from '../check/options.ts';
import type { CheckProgress, CheckReport } from '../check/report.ts';
import { searchNames, type SearchName } from '../check/searches.ts';
import { CheckEnded } from '../check/check-ended.ts';
import type { SavedCheck } from '../check/checkpoint.ts';
import { mustGuarantee } from '../kernel/guarantees.ts';
import { loadSystem } from '../system/load-system.ts';
import { resolveSystem } from '../system/resolve.ts';
import { policyNames, type Policy } from '../check/reduce/policies.ts';
import type { System } from '../system/definition.ts';
import { reportJson, printReport, JSON_FIELDS, type Checked } from './check-report.ts';
import { CheckpointFile, CheckpointSaver } from './checkpoint-file.ts';
import { exitWith } from './output/exit-code.ts';
import { resumeCommand } from './next-command.ts';
import { FLEET_HELP, withFleet } from './fleet-option.ts';
import { Interruption } from './interruption.ts';
import { MINIMIZE_HELP, firstUnsaved, saveAndMinimize, shownWithWhy } from './finding-output.ts';
import { reportToGitHub } from './output/github.ts';
import { mustBeSaved } from './output/not-saved.ts';
import { printJson } from './output/output.ts';
import { printLines } from './output/lines.ts';
import { Progress } from './output/progress.ts';
import { checking } from './output/progress-words.ts';
import { NO_WHY_HELP } from './why.ts';
import { atLeast, collectSetting } from './settings.ts';

interface Options {
  readonly search: string;
  readonly reduce: readonly string[];
  readonly estimateReduction: readonly string[];
  readonly audit: boolean;
  readonly crashes?: number;
  readonly restarts?: number;
  readonly partitions?: number;
  readonly events: number;
  readonly preemptions?: number;
  readonly seed: number;
  readonly executions: number;
  readonly seconds?: number;
  readonly violations: number;
  readonly workers: number;
  readonly fleet?: string;
  readonly set: Readonly<Record<string, string>>;
  readonly out: string;
  readonly minimize: boolean;
  readonly minimizeSeconds: number | undefined;
  readonly why: boolean;
  readonly fresh: boolean;
  readonly json: boolean;
}

export const checkCommand = (): Command =>
  new Command('check')
    .description('explore every execution within bounds, up to the order of independent events')
    .argument('<system>', 'a module that exports a system by default')
    .option(
      '--crashes <n>',
      'maximum crashes in one execution; default: the budget that the system declares',
      atLeast(0),
    )
    .option('--restarts <n>', 'maximum restarts in one execution, likewise', atLeast(0))
    .option('--partitions <n>', 'maximum cut links in one execution, likewise', atLeast(0))
    .option('--events <n>', 'maximum events in one execution', atLeast(1), 200)
    .option('--search <name>', `search algorithm: ${searchNames.join(', ')}`, 'dpor')
    .option('--preemptions <n>', 'maximum preemptions (depth and deepening only)', atLeast(0))
    .option(
      '--reduce <names>',
      `prune by these reductions, most of which need rules of the system: ${policyNames.join(', ')}`,
      namesIn,
      [],
    )
    .option(
      '--estimate-reduction <names>',
      'estimate how much each reduction would prune, without pruning',
      namesIn,
      [],
    )
    .option('--audit', 'verify every independence claim of a rule, instead of one in 100', false)
    .option('--seed <n>', 'random seed for workload and handlers', atLeast(0), 0)
    .option('-n, --executions <n>', 'maximum executions', atLeast(1), 1_000_000)
    .option('-t, --seconds <n>', 'time limit', atLeast(1))
    .option('--violations <n>', 'stop after this many different violations', atLeast(1), 1)
    .option(
      '-w, --workers <n>',
      'worker threads (dpor, race-reversal, blackbox and blackbox-race-reversal only)',
      atLeast(1),
      1,
    )
    .option('--fleet <url>', FLEET_HELP)
    .option('-s, --set <name=value>', 'set a parameter of the system', collectSetting, {})
    .option('-o, --out <folder>', 'folder for saved traces', '.culprit')
    .option('--minimize-seconds <n>', MINIMIZE_HELP, atLeast(1))
    .option('--no-minimize', 'do not minimize violations')
    .option('--no-why', NO_WHY_HELP)
    .option('--fresh', 'ignore the saved checkpoint and start over', false)
    .option('--json', 'print one JSON object instead', false)
    .addHelpText('after', HELP)
    .action(run);

const namesIn = (text: string): string[] => text.split(',').map((name) => name.trim());

const HELP = `
Answers:
  holds     no violation within the stated bounds                                (exit code 0)
  violated  the report shows the minimized execution and saves it                (exit code 1)
  unknown   some executions were not explored or not judged; the report says why (exit code 3)
  stopped   Ctrl-C ended the check early; the verdict is unknown                 (exit code 130; 143 after SIGTERM)

A check that is stopped, killed, or out of budget leaves a checkpoint, <out>/<system>-<digest>.check. The same command resumes
from it. Each combination of system, parameters, bounds and search has its own checkpoint. If the system has changed, the check
starts over. A second Ctrl-C ends it immediately. --estimate-reduction saves no checkpoint.

Examples:
  culprit check ./lock.system.ts
  culprit check ./raft.system.ts --set nodes=3 --crashes 1 --restarts 1 --seconds 600
  culprit check ./raft.system.ts --estimate-reduction lmi,cmi --executions 3000
  culprit check ./raft.system.ts --reduce lmi,cmi --audit

--json has ${JSON_FIELDS}.`;

async function run(path: string, options: Options): Promise<void> {
  const { system, module, code } = await loadSystem(path);
  const { json, search, reduce, estimateReduction, out, fresh, set } = options;
  mustGuarantee('check', 'repeatable', resolveSystem(system, set).declaration);
  const rules = reduce.length === 0 ? '' : `, reduced by ${reduce.join(', ')}`;
  const interruption = Interruption.listening();
  if (!json) printLines([`check     ${module}, by ${search}${rules}`]);
  const asked = { ...optionsOf(options), module };
  const file = new CheckpointFile(out, { module, code, about: aboutCheck(system, asked) });
  // An estimate cannot use executions of an earlier check, and saves no checkpoint.
  const isResumable = estimateReduction.length === 0;
  const from = fresh || !isResumable ? undefined : loaded(file, json);
  const saver = new CheckpointSaver(file);
  const onSave = (saved?: SavedCheck): void => saver.keep(saved);
  const saving = { ...(from === undefined ? {} : { from }), ...(isResumable ? { onSave } : {}) };
  const { signal } = interruption;
  const { report, failure } = await checked(system, { ...asked, ...saving, signal }, options.fleet);
  const hasCheckpoint = (): boolean => isResumable && saver.problem === undefined && file.exists;
  const interrupted = interruption.isStopped && !isDone(report, options);
  const findings = await saveAndMinimize(system, report.findings, options, interruption);
  const all = {
    search: search as SearchName,
    report,
    findings,
    interrupted,
    bounds: boundsFrom(options, from),
    failure,
    checkpoint: hasCheckpoint() ? file.path : undefined,
  };
  if (json) printJson('check', reportJson(all));
  else printReport(all);
  reportToGitHub(findings.map(shownWithWhy));
  if (failure !== undefined) throw failure;
  mustBeSaved(firstUnsaved(findings));
  if (report.verdict === 'unknown') saver.mustBeSaved();
  if (hasCheckpoint() && !json) printLines([`resume    ${resumeCommand(process.argv.slice(2))}`]);
  exitWith(exitCodeOf(report, interrupted ? interruption.exitCode : undefined));
}

/** A check that ended before the signal arrived has a normal result. */
const isDone = ({ plans, plansDone, findings }: CheckReport, { violations }: Options): boolean =>
  plansDone === plans || findings.length >= violations;

/** Loads the checkpoint of the same check, if there is one. Prints its file, or the checkpoints of other checks. */
function loaded(file: CheckpointFile, json: boolean): SavedCheck | undefined {
  const { from, stale } = file.load();
  if (json) return from;
  if (from !== undefined) printLines([`resumes   from ${file.path}`]);
  else if (stale !== undefined) printLines([`restarts  ${file.path} is out of date: ${stale}`]);
  else
    printLines(file.others().map(({ path, had }) => `left      ${path}, the checkpoint of another check, with ${had}`));
  return from;
}

/** The bounds, including the executions and seconds of the checkpoint. */
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

/** Each policy by itself, and all of them together. */
const eachAndAll = (policies: readonly Policy[]): Policy[][] => [
  ...policies.map((policy) => [policy]),
  ...(policies.length > 1 ? [[...policies]] : []),
];

interface Ended {
  readonly report: CheckReport;
  /** Why the check ended early; it still has a report. */
  readonly failure: CheckEnded | undefined;
}

async function checked(system: System, given: CheckOptions, broker: string | undefined): Promise<Ended> {
  const progress = new Progress(process.stderr);
  const onProgress = (state: CheckProgress): void => progress.show(checking(state), state.elapsedMs);
  const options = checkOptions.checked({ ...given, onProgress });
  try {
    const report = await withFleet(broker, (fleet) => checkWith(system, { ...options, fleet }));
    return { report, failure: undefined };
  } catch (error) {
    if (!(error instanceof CheckEnded)) throw error;
    return { report: error.report, failure: error };
  } finally {
    progress.end();
  }
}

function optionsOf(options: Options): CheckOptions {
  const { crashes, restarts, partitions, events, preemptions, seconds, seed, executions, violations } = options;
  const { workers, audit, set } = options;
  const faults = Object.fromEntries(
    Object.entries({ crashes, restarts, partitions }).filter(([, budget]) => budget !== undefined),
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
  // The code that knows the names rejects unknown ones.
  const names = { search: options.search as SearchName, reduce: options.reduce as Policy[] };
  return {
    ...limits,
    ...names,
    estimateReduction: eachAndAll(options.estimateReduction as Policy[]),
    audit,
    faults,
    set,
  };
}

import { Command } from 'commander';
import { isCovered } from '../coverage/coverage-lines.ts';
import { loadSystem } from '../system/load-system.ts';
import { searchWith } from '../hunt/search.ts';
import { defaultStrategies } from '../hunt/options.ts';
import type { SearchProgress, SearchReport } from '../hunt/report.ts';
import { SearchEnded } from '../hunt/search-ended.ts';
import type { Weights } from '../kernel/options/weights.ts';
import { strategiesIn } from '../schedule/strategies.ts';
import type { System } from '../system/definition.ts';
import { exitWith } from './output/exit-code.ts';
import { resumeFromSeed } from './next-command.ts';
import { reportJson, printReport } from './hunt-report.ts';
import { saveExample } from './example.ts';
import { FLEET_HELP, withFleet } from './fleet-option.ts';
import { Interruption } from './interruption.ts';
import { MINIMIZE_HELP, firstUnsaved, saveAndMinimize, shownWithWhy } from './finding-output.ts';
import { reportToGitHub } from './output/github.ts';
import { LiveView } from './output/live-view.ts';
import { HuntTakeover, mustAllowSteps } from './step/hunt-takeover.ts';
import { mustBeSaved } from './output/not-saved.ts';
import { printJson } from './output/output.ts';
import { printLines } from './output/lines.ts';
import { Progress } from './output/progress.ts';
import { hunting } from './output/progress-words.ts';
import { NO_WHY_HELP } from './why.ts';
import { atLeast, collectSetting, collectWeight, countOrAuto, JOBS_HELP, workersHelp } from './settings.ts';

interface Options {
  readonly seed: number;
  readonly executions: number;
  readonly events?: number;
  readonly violations: number;
  readonly seconds?: number;
  readonly strategy: string;
  readonly weight?: Weights;
  readonly workers: number | 'auto';
  readonly fleet?: string;
  readonly jobs: number | 'auto';
  readonly control: boolean;
  readonly set: Readonly<Record<string, string>>;
  readonly out: string;
  readonly minimize: boolean;
  readonly minimizeSeconds: number | undefined;
  readonly why: boolean;
  readonly requireCoverage: boolean;
  readonly json: boolean;
  readonly view: boolean;
  readonly stats: boolean;
  readonly stepOnInterrupt: boolean;
}

export const huntCommand = (): Command =>
  new Command('hunt')
    .description('search for an execution that violates an invariant')
    .argument('<system>', 'a module that exports a system by default')
    .option('--seed <n>', 'first seed; each execution uses the next one', atLeast(0), 0)
    .option('-n, --executions <n>', 'maximum executions', atLeast(1), 10_000)
    .option('-t, --seconds <n>', 'time limit', atLeast(1))
    .option('--violations <n>', 'stop after this many different violations', atLeast(1), 1)
    .option(
      '--events <n>',
      'maximum events in one execution (default: 1000, and 100000 where processes act by themselves)',
      atLeast(1),
    )
    .option(
      '--strategy <names>',
      'random, pos, round-robin, pct:<depth> or pctcp:<depth>; several names alternate',
      defaultStrategies.join(','),
    )
    .option(
      '--weight <kind=n>',
      'relative weight of a kind of event, instead of those that the system declares; default 1, timers (fire) 0.25',
      collectWeight,
    )
    .option('-w, --workers <n>', workersHelp('hunt'), countOrAuto, 'auto')
    .option('--fleet <url>', FLEET_HELP)
    .option('-j, --jobs <n>', JOBS_HELP, countOrAuto, 'auto')
    .option('--no-control', 'do not begin with executions without faults, where processes act by themselves')
    .option('-s, --set <name=value>', 'set a parameter of the system', collectSetting, {})
    .option('-o, --out <folder>', 'folder for saved traces', '.culprit')
    .option('--minimize-seconds <n>', MINIMIZE_HELP, atLeast(1))
    .option('--no-minimize', 'do not minimize violations')
    .option('--no-why', NO_WHY_HELP)
    .option('--view', 'show progress and findings in the browser', false)
    .option(
      '--stats',
      'print which kinds of inputs happened, and which messages met which states of their receivers',
      false,
    )
    .option(
      '--step-on-interrupt',
      'at Ctrl-C, choose events of the execution under way as in `step`; Ctrl-D resumes the hunt',
      false,
    )
    .option('--json', 'print one JSON object instead', false)
    .option(
      '--require-coverage',
      'exit with 3 if nothing is found and coverage is insufficient (see `sometimes`)',
      false,
    )
    .addHelpText('after', HELP)
    .action(run);

const HELP = `
After Ctrl-C the hunt reports its progress, saves its findings, and prints the command that resumes it (exit code 130, or 1 if
it found a violation; 143 instead of 130 after SIGTERM). A second Ctrl-C ends it immediately.

With --step-on-interrupt, Ctrl-C stops between two events, and you choose what happens next, with the commands of \`culprit step\`.
Programs keep running meanwhile. Ctrl-D resumes the hunt with the same execution, Ctrl-C ends it as above. One execution runs
at a time then.

Where processes act by themselves, the hunt begins with three control executions: one without any input, two without faults. A
violation in one of them is reported as such. If the system gets ready in no execution, the exit code is 2;
if no execution has a verdict for another reason, it is 3.

Examples:
  culprit hunt ./lock.system.ts
  culprit hunt ./raft.system.ts --set nodes=5 --seconds 60 --strategy pos,pct:4
  culprit hunt ./raft.system.ts --weight fire=0.05 --weight deliver=2`;

async function run(path: string, options: Options): Promise<void> {
  const { system, module } = await loadSystem(path);
  const { seed, strategy, json } = options;
  if (options.stepOnInterrupt) mustAllowSteps(options);
  const interruption = Interruption.listening();
  if (!json) printLines([`hunt      ${module}, from seed ${seed}, by ${strategy}`]);
  await LiveView.whileOpen(`hunt ${module}`, options.view, (live) =>
    hunt(system, module, { ...options, live }, interruption),
  );
}

async function hunt(system: System, module: string, options: Watched, interruption: Interruption): Promise<void> {
  const { json, live } = options;
  const startedMs = performance.now();
  const { report, failure } = await searched(system, module, options, interruption);
  const seconds = (performance.now() - startedMs) / 1000;
  // A hunt that ended before the signal arrived has a normal result.
  const interrupted = interruption.isStopped && !isDone(report, options);
  const findings = await saveAndMinimize(system, report.findings, options, interruption);
  await live?.end(interrupted ? 'stopped' : findings.length > 0 ? 'done' : 'found nothing');
  const bounds = { executions: options.executions, seconds: options.seconds, violations: options.violations };
  const isNothing = findings.length === 0 && failure === undefined && !interrupted;
  const example = isNothing ? saveExample(report.example, options.out) : undefined;
  const hunted = { report, findings, seconds, failure, bounds, interrupted, example };
  if (json) printJson('hunt', reportJson(hunted));
  else printReport(hunted, options.stats);
  reportToGitHub(findings.map(shownWithWhy));
  if (failure !== undefined) throw failure;
  mustBeSaved(firstUnsaved(findings));
  if (interrupted && !json) printLines([`resume    ${resumeFromSeed(report.nextSeed, process.argv.slice(2))}`]);
  if (findings.length > 0) exitWith(1);
  else if (interrupted) exitWith(interruption.exitCode);
  else mustBeAnswered(report, options);
}

/** A hunt that found nothing may have tested nothing, or too little. */
function mustBeAnswered(report: SearchReport, { requireCoverage }: Options): void {
  if (report.neverReady !== undefined) throw report.neverReady;
  if (isUndecided(report) || (requireCoverage && !isCovered(report))) exitWith(3);
}

/** Whether no execution of a system whose processes act by themselves has a verdict, so that nothing is known. */
const isUndecided = ({ executions, unknown, control }: SearchReport): boolean =>
  control !== undefined &&
  unknown + control.unknown > 0 &&
  unknown === executions &&
  control.unknown === control.executions;

const isDone = ({ executions, findings }: SearchReport, options: Options): boolean =>
  executions >= options.executions || findings.length >= options.violations;

type Watched = Options & { readonly live: LiveView | undefined };

interface Searched {
  readonly report: SearchReport;
  /** Why the hunt ended early; it still has a report. */
  readonly failure?: SearchEnded;
}

async function searched(
  system: System,
  module: string,
  options: Watched,
  interruption: Interruption,
): Promise<Searched> {
  const { seed, executions, seconds, violations, events, strategy, weight, control, set } = options;
  const limits = {
    seed,
    executions,
    violations,
    ...(events === undefined ? {} : { eventsMax: events }),
    ...(seconds === undefined ? {} : { seconds }),
  };
  const progress = new Progress(process.stderr);
  const takeover = options.stepOnInterrupt
    ? new HuntTakeover(interruption, options.out, () => progress.end())
    : undefined;
  const { workers, jobs } = takeover === undefined ? options : { workers: 1, jobs: 1 };
  const choice = {
    strategy: strategiesIn(strategy),
    workers,
    jobs,
    control,
    ...(weight === undefined ? {} : { weights: weight }),
  };
  const onProgress = (state: SearchProgress): void => {
    if (takeover?.isUnderWay === true) return;
    progress.show(hunting(state), state.elapsedMs);
    options.live?.progress(hunting(state));
  };
  const { signal } = interruption;
  const searching = { ...limits, ...choice, set, module, onProgress, signal, takeover };
  try {
    return {
      report: await interruption.asking(
        () => takeover?.ask() === true,
        () => withFleet(options.fleet, (fleet) => searchWith(system, { ...searching, fleet })),
      ),
    };
  } catch (error) {
    if (!(error instanceof SearchEnded)) throw error;
    return { report: error.report, failure: error };
  } finally {
    progress.end();
  }
}

import { Command, Option } from 'commander';
import type { Stage } from '../minimize/report.ts';
import { minimizeSaved, type MinimizedSaved } from '../minimize/minimize-saved.ts';
import { parsePass, passNames } from '../minimize/pass-registry.ts';
import { passesIn, pipelineNames } from '../minimize/pipelines.ts';
import { plural } from '../text/plural.ts';
import type { System } from '../system/definition.ts';
import { BadOption } from '../kernel/options/options.ts';
import { loadSystem } from '../system/load-system.ts';
import { shownPath } from '../text/shown-path.ts';
import { loadTrace, type SavedTrace } from '../files/trace-file.ts';
import type { Trace } from '../trace/format.ts';
import { fileLines, limitFor, WAITING } from '../hunt/saved-findings.ts';
import { exitWith } from './output/exit-code.ts';
import { Interruption } from './interruption.ts';
import { reportToGitHub } from './output/github.ts';
import { LiveView } from './output/live-view.ts';
import { mustBeSaved } from './output/not-saved.ts';
import { printJson } from './output/output.ts';
import { printLines } from './output/lines.ts';
import { printViolation } from './output/print.ts';
import { Progress } from './output/progress.ts';
import { minimizing } from './output/progress-words.ts';
import { atLeast, countOrAuto, JOBS_HELP, workersHelp } from './settings.ts';
import { reproductionOf, summaryOf } from './output/summary.ts';
import { passingLines, rateLines, waitingLines } from './output/waiting-lines.ts';
import { NO_WHY_HELP, whyShortly } from './why.ts';
import { executes, moduleOf, SYSTEM_OPTION } from './trace-module.ts';
import { withCommas } from '../text/with-commas.ts';

interface Options {
  /** Undefined: those that suit the system. */
  readonly passes: readonly string[] | undefined;
  readonly schedules?: number;
  readonly seconds?: number;
  readonly system?: string;
  readonly workers: number | 'auto';
  readonly jobs: number | 'auto';
  readonly proofStates?: number;
  readonly out?: string;
  readonly why: boolean;
  readonly json: boolean;
  readonly view: boolean;
}

/** The default time limit, of an execution that nothing waits in. */
const SECONDS = 60;

export const minimizeCommand = (): Command =>
  new Command('minimize')
    .description('shrink a saved trace to the fewest events that still fail')
    .argument('<trace>', 'a trace file that ends with a violation')
    .option(
      '-t, --seconds <n>',
      `time limit (default: ${SECONDS}; ${WAITING * SECONDS} if events appear by themselves)`,
      atLeast(1),
    )
    .option('--schedules <n>', 'maximum schedules to execute', atLeast(1))
    .option('--proof-states <n>', 'maximum states to explore to prove that nothing is shorter; 0: no proof', atLeast(0))
    .addOption(
      new Option(
        '--passes <names>',
        `passes to repeat until none shrinks the trace: ${passNames.join(', ')}, or a pipeline: ${pipelineNames.join(', ')}; :content, :type or :place after a pass selects how it matches events`,
      ).argParser((names: string) => names.split(',').map((name) => name.trim())),
    )
    .option('-w, --workers <n>', workersHelp('minimization'), countOrAuto, 'auto')
    .option('-j, --jobs <n>', JOBS_HELP, countOrAuto, 'auto')
    .addOption(new Option('--fleet <url>').hideHelp().argParser(refuseFleet))
    .option('--system <module>', SYSTEM_OPTION)
    .option('-o, --out <folder>', 'folder for the result; default: beside the trace')
    .option('--view', 'show the shrinking trace in the browser', false)
    .option('--no-why', NO_WHY_HELP)
    .option('--json', 'print one JSON object instead', false)
    .addHelpText('after', executes())
    .addHelpText(
      'after',
      `
Examples:
  culprit minimize .culprit/mutual-exclusion-3f2a.trace
  culprit minimize .culprit/mutual-exclusion-3f2a.trace --seconds 600
  culprit minimize .culprit/mutual-exclusion-3f2a.trace --passes provenance,single:type

The result is saved as ….min.trace. The same command resumes from it, also after Ctrl-C (exit code 130; 143 after
SIGTERM). A second Ctrl-C ends it immediately.

Where processes act by themselves, candidates are replayed several times, and events are awaited; several are executed at a
time (--jobs). Controls come first: the execution without any input, and without faults. If the violation happens in none of 20 replays,
nothing is minimized (exit code 3). The result is replayed, too: if it does not fail again, the exit code is 3.`,
    )
    .action(run);

/** A user of `hunt --fleet` may try it here, too. */
function refuseFleet(): never {
  throw new BadOption(
    'minimize runs on this machine: its questions follow one another in less time than a message to another one takes.',
    'Omit --fleet.',
  );
}

async function run(path: string, options: Options): Promise<void> {
  for (const name of passesIn(options.passes ?? [])) parsePass(name);
  const trace = loadTrace(path);
  const { system, module } = await loadSystem(options.system ?? moduleOf(trace, path, 'minimize'));
  const interruption = Interruption.listening();
  if (!options.json) printLines([`minimize  ${path}, ${plural(trace.events.length, 'event')}`]);
  const { seconds = limitFor(trace, SECONDS) } = options;
  await LiveView.whileOpen(`minimize ${path}`, options.view, (live) =>
    minimizeNow(system, { trace, path }, { ...options, seconds, module, live }, interruption),
  );
}

async function minimizeNow(
  system: System,
  { trace, path }: SavedTrace,
  options: Limited & { readonly live: LiveView | undefined },
  interruption: Interruption,
): Promise<void> {
  const { passes, seconds, schedules, proofStates, workers, jobs, module, out, json, live } = options;
  live?.showTrace({ trace, path });
  const progress = new Progress(process.stderr);
  const minimized = await minimizeSaved(
    system,
    { trace, path: shownPath(path), ...(out === undefined ? {} : { directory: out }) },
    {
      ...(passes === undefined ? {} : { passes: passesIn(passes) }),
      seconds,
      workers,
      jobs,
      module,
      ...(schedules === undefined ? {} : { schedules }),
      ...(proofStates === undefined ? {} : { proofStates }),
      signal: interruption.signal,
      onBefore: (before, isKnown) => (json ? undefined : printLines([beforeLine(before, isKnown)])),
      onProgress: (state) => {
        progress.show(minimizing(state), state.seconds * 1000);
        live?.progress(minimizing(state));
      },
      onBest: (best) => live?.showTrace({ trace: best, path }),
    },
  ).finally(() => progress.end());
  await live?.showWithPlaces(minimized, system);
  // A minimization that ended before the signal arrived has a normal result.
  const interrupted = interruption.isStopped && minimized.certificate === undefined;
  await live?.end(interrupted ? 'stopped' : 'done');
  const why = options.why ? await whyShortly(system, minimized.trace, interruption) : undefined;
  if (json) printJson('minimize', { ...reportJson({ trace, path }, minimized, interrupted), why });
  else printReport({ ...minimized, why }, interrupted, options);
  annotate(minimized, why);
  mustBeSaved([minimized, ...minimized.others].find(({ unsaved }) => unsaved !== undefined)?.unsaved);
  exitWith(interrupted ? interruption.exitCode : minimized.reproduction.rate === 0 ? 3 : 1);
}

/** A result that does not fail again is no violation to report. */
function annotate({ trace, path, reproduction }: MinimizedSaved, why: string | undefined): void {
  if (reproduction.rate > 0) reportToGitHub([{ trace, path, why }]);
}

/** The options with their defaults. */
type Limited = Options & { readonly seconds: number; readonly module: string };

const isSpent = ({ schedules, seconds }: MinimizedSaved, options: Limited): boolean =>
  seconds >= options.seconds || schedules >= (options.schedules ?? Number.POSITIVE_INFINITY);

const beforeLine = ({ events }: Trace, isKnown: boolean): string =>
  isKnown
    ? 'known     already minimized with these passes: nothing is left to try'
    : `resumes   from ${plural(events.length, 'event')}, the result of an earlier run`;

function printReport(
  minimized: MinimizedSaved & { readonly why: string | undefined },
  interrupted: boolean,
  options: Limited,
): void {
  const { trace, before, stages, seconds, reproduction, why } = minimized;
  printLines(['', ...table(stages), ...leftOutLines(stages)]);
  // A resumed minimization does not know the seconds of the earlier ones.
  printViolation(trace, { why, reproduction, ...(before === undefined ? { seconds } : {}) });
  printLines(inputsLines(minimized));
  if (minimized.waiting !== undefined)
    printLines([...rateLines(minimized), ...waitingLines(minimized.waiting), ...passingLines(minimized.passing)]);
  printLines(['', ...(interrupted ? [stoppedLine(minimized, options)] : [])]);
  printLines(fileLines(minimized, !interrupted && !isSpent(minimized, options)));
}

/** STS counts that switches connect, the check of the invariant, and the wait before it. */
const COUNTED_BY_STS = 3;

/** `inputs    12 → 2, in 1 group` where processes act by themselves; of a network also as its literature counts. */
function inputsLines({ trace, inputs, waiting, before }: MinimizedSaved): string[] {
  const isNetwork = (trace.header.topology?.controllers ?? []).length > 0;
  if (inputs === undefined || (waiting === undefined && !isNetwork)) return [];
  const { recorded, left } = inputs;
  const counts = before === undefined ? [recorded.inputs, left.inputs] : [left.inputs];
  const published = counts.map((count) => count + COUNTED_BY_STS).join(' → ');
  const connected = isNetwork ? ` (${published} with connect, check and wait, as STS counts)` : '';
  return [`inputs    ${counts.join(' → ')}${connected}, in ${plural(left.atoms, 'group')}`];
}

function stoppedLine({ schedules, seconds }: MinimizedSaved, options: Limited): string {
  const most = options.schedules === undefined ? '' : ` of at most ${withCommas(options.schedules)}`;
  const spent = `${plural(schedules, 'schedule')}${most}, ${seconds.toFixed(1)} of ${options.seconds} s`;
  return `stopped   after ${spent}: the trace may not be minimal`;
}

/** The stages that removed something, and the initial one. */
function table(stages: readonly Stage[]): string[] {
  const changes = stages.filter(({ events, externals }, at) => {
    const before = stages[at - 1];
    return before === undefined || before.events !== events || before.externals !== externals;
  });
  if (changes.length < 2) return [];
  const rows = changes.map(({ pass, events, externals, schedules, seconds }, at) => [
    at === 0 ? '(input)' : pass,
    ...[events, externals, schedules].map(withCommas),
    seconds.toFixed(1),
  ]);
  const width = Math.max(...rows.map(([pass = '']) => pass.length));
  const lines = [['pass', 'events', 'externals', 'schedules', 'seconds'], ...rows].map(
    ([pass = '', ...counts]) => `  ${pass.padEnd(width)}${counts.map((count) => count.padStart(11)).join('')}`,
  );
  return [...lines, ''];
}

/** The passes that had nothing to try, each once, and why. */
function leftOutLines(stages: readonly Stage[]): string[] {
  const lines = stages.flatMap(({ pass, leftOut }) => (leftOut === undefined ? [] : [`skipped   ${pass}: ${leftOut}`]));
  return lines.length === 0 ? [] : [...new Set(lines), ''];
}

function reportJson(given: SavedTrace, minimized: MinimizedSaved, interrupted: boolean): object {
  const { trace, path, unsaved, stages, schedules, seconds, certificate = null, others } = minimized;
  return {
    from: { path: given.path, events: trace.header.minimized?.events, externals: trace.header.minimized?.externals },
    stages,
    final: { ...summaryOf({ trace, path, ...(unsaved === undefined ? {} : { unsaved }) }), schedules, seconds },
    certificate,
    ...minimized.inputs,
    ...reproductionOf(minimized),
    ...liveJson(minimized),
    interrupted,
    path: unsaved === undefined ? path : null,
    others: others.map(summaryOf),
  };
}

/** Where processes act by themselves: rates, and what the jobs cost. */
function liveJson({ waiting, inputs, passing, controls, withoutAbsent, wasted, reproduction }: MinimizedSaved): object {
  return waiting === undefined ? {} : { reproduction, controls, withoutAbsent, wasted, waiting, passing, inputs };
}

import { existsSync, statSync } from 'node:fs';
import { Command } from 'commander';
import { loadSystem, type LoadedSystem } from '../system/load-system.ts';
import type { System } from '../system/definition.ts';
import { resolveSystem } from '../system/resolve.ts';
import { BadOption } from '../kernel/options/options.ts';
import { NEIGHBORS, recheck } from '../replay/recheck.ts';
import { originOf } from '../replay/replay.ts';
import { REPLAYS } from '../replay/sampled-replay.ts';
import { loadTrace, type SavedTrace } from '../files/trace-file.ts';
import { eventOf } from '../trace/codec.ts';
import { undeliveredOf } from '../trace/undelivered.ts';
import { exitWith } from './output/exit-code.ts';
import { Interruption, Stopped } from './interruption.ts';
import { reportToGitHub, type GitHubViolation } from './output/github.ts';
import { mustBeSaved } from './output/not-saved.ts';
import { printJson } from './output/output.ts';
import { printLines } from './output/lines.ts';
import { replayWithMocks } from './mock-replay.ts';
import { recordedWith } from './recorded-with.ts';
import { ReplayedAll, tracesToReplay } from './replay-all.ts';
import { exitCodeOf, replayJson, printReplay, savedFrom, type Replayed } from './replay-one.ts';
import { atLeast, countOrAuto, JOBS_HELP } from './settings.ts';
import { stepAlong, stepAt, STEP_AT_HELP, type StepAt } from './step-at.ts';
import { NO_WHY_HELP, whyShortly } from './why.ts';
import { executes, moduleOf, SYSTEM_OPTION } from './trace-module.ts';

interface Options {
  readonly system?: string;
  readonly neighbors: number;
  readonly replays: number;
  readonly jobs: number | 'auto';
  readonly out: string;
  readonly json: boolean;
  readonly mock: boolean;
  readonly without: readonly string[];
  readonly stepAt?: StepAt;
  readonly byRound: boolean;
  readonly why: boolean;
}

export const replayCommand = (): Command =>
  new Command('replay')
    .description('replay one saved trace, or all of them, and report whether the violation still happens')
    .argument('[trace]', 'a trace file, or a folder of traces', '.culprit')
    .option('--system <module>', SYSTEM_OPTION)
    .option(
      '--neighbors <n>',
      'number of nearby schedules to try if the trace does not reproduce the violation',
      atLeast(0),
      NEIGHBORS,
    )
    .option('--replays <n>', 'number of replays, for a system that is not repeatable', atLeast(1), REPLAYS)
    .option('-j, --jobs <n>', JOBS_HELP, countOrAuto, 'auto')
    .option('-o, --out <folder>', 'folder for executions that differ from the recorded one', '.culprit')
    .option('--by-round', 'of a sample: compare its replays with the recording, round by round, in columns', false)
    .option('--mock', 'of a network: run no controller, and repeat the recorded messages of controllers instead', false)
    .option('--without <what>', 'with --mock: leave out inputs and messages, by number, kind or process', collected, [])
    .option('--step-at <place>', STEP_AT_HELP, stepAt)
    .option('--no-why', NO_WHY_HELP)
    .option('--json', 'print one JSON object instead', false)
    .addHelpText('after', executes())
    .addHelpText('after', HELP)
    .action(run);

const HELP = `
Answers:
  reproduced  the violation still happens, exactly as recorded or in another execution, which is saved  (exit code 1)
  fixed       the trace runs to its end, the system now behaves differently there, and no nearby
              schedule violates the oracle (evidence, not proof)                                        (exit code 0)
  diverged    the trace does not run to its end (the report names the step), and no nearby schedule
              violates the oracle: the bug may or may not be fixed                                      (exit code 3)
  sampled     the system is not repeatable: in how many replays the violation happens, with the interval of
              the true rate, and the same without faults; unknown are those in which an external came too
              late, even after restarts                (exit code 1 if it happens in one, otherwise 3)

Replay uses the recorded parameters, even if the defaults have changed. Numbers in the message of a violation may differ.

For a folder (default: .culprit), culprit replays every trace and prints one line for each: reproduced, diverged at event n,
other violation, no violation any more, as recorded (a trace without a violation), cannot be read, or cannot be replayed. If a trace
has a .min.trace, only that one runs. Nothing is saved. The exit code is 0 if every violation is gone and every other trace
matches; otherwise 1 if there is a violation, 2 if a trace could not be executed, 3 if one diverged.

With --mock, no controller runs: switches get exactly the messages that controllers sent in the recording, and what they send to controllers
is dropped (OFRewind). Invariants are those of the system as it is now. --without leaves out events: 34, 14-17, flow_mod, migrate, cut, c1;
give it several times. Exit code 1 if an invariant is violated, 0 if none is, 3 if that is unknown.
With --step-at, the replay becomes a session of \`step\`: look around, inject new events, save. Where controllers run, they run on.

--json has path, answer, why, by, verdict, events, deviation, otherwise (the event that the code now handles differently), hint, tried,
replays, reproduced, unknown, interval, control, waiting, byReplay and byRound (of a sample),
recordedWith (parameters whose defaults have changed), saved, others and interrupted; for a folder it has folder, total, traces
(each with outcome, violations, and error if it failed), summary (a count per outcome) and interrupted.
Ctrl-C stops it (exit code 130, 143 after SIGTERM; 1 if a violation was reproduced before).

Examples:
  culprit replay
  culprit replay .culprit/mutual-exclusion-3f2a.trace
  culprit replay .culprit/blackholes-57c1.trace --mock --without flow_mod
  culprit replay .culprit/blackholes-57c1.trace --mock --step-at violation`;

const collected = (word: string, before: readonly string[]): readonly string[] => [...before, word];

async function run(path: string, options: Options): Promise<void> {
  if (options.without.length > 0 && !options.mock)
    throw new BadOption(
      '--without needs --mock.',
      'Controllers that run decide themselves what they send: add --mock.',
    );
  const isOfOne = options.mock || options.stepAt !== undefined;
  if (isOfOne && isFolder(path))
    throw new BadOption(`${path} is a folder.`, 'Give one trace with --mock or --step-at.');
  const replaying = new Replaying(options);
  if (isFolder(path)) await replayAll(path, replaying, options);
  else if (isOfOne) await replaying.otherwise(path);
  else await replayOne(path, replaying, options);
}

/** The default is a folder even if it does not exist: then traces are missing. */
const isFolder = (path: string): boolean => (existsSync(path) ? statSync(path).isDirectory() : path === '.culprit');

/** Replays traces, and loads each system once. */
class Replaying {
  readonly interruption = new Interruption();
  private readonly systems = new Map<string, Promise<LoadedSystem>>();

  constructor(private readonly options: Options) {}

  async replay(path: string): Promise<Replayed> {
    const { system: given, neighbors, replays, jobs } = this.options;
    const trace = loadTrace(path);
    const module = given ?? moduleOf(trace, path, 'replay');
    const { system, module: loaded } = await this.load(module);
    this.interruption.listen();
    const { signal } = this.interruption;
    const found = await this.unlessStopped(
      recheck(system, trace, { neighbors, replays, jobs, module: loaded, signal }),
      system,
    );
    return { path, trace, module, recorded: recordedWith(trace, system), found };
  }

  /** Why the execution of an exact replay is violated, in one sentence. */
  async why({ found, module }: Replayed): Promise<string | undefined> {
    if (!this.options.why || found.answer !== 'reproduced') return undefined;
    return await whyShortly((await this.load(module)).system, found.trace, this.interruption);
  }

  /** With mock controllers, or as a session in which the user chooses. */
  async otherwise(path: string): Promise<void> {
    const { system: given, mock, without, stepAt: at, out, json } = this.options;
    const trace = loadTrace(path);
    const { system } = await this.load(given ?? moduleOf(trace, path, 'replay'));
    if (mock) return await replayWithMocks(system, path, trace, { without, stepAt: at, out, json });
    const recording = trace.events.map(eventOf);
    const origin = { ...originOf(system, trace), strategy: 'step' };
    await stepAlong(at ?? 'end', path, {
      origin,
      recording,
      undelivered: undeliveredOf(trace),
      out,
      length: recording.length,
    });
  }

  /** Processes that act by themselves may outlive culprit: their sessions are closed first. */
  private async unlessStopped<T>(work: Promise<T>, system: System): Promise<T> {
    try {
      return await this.interruption.unlessStopped(work);
    } catch (error) {
      const isStopped = error instanceof Stopped;
      if (isStopped && !resolveSystem(system).guarantees.controlled) await work.catch(() => undefined);
      throw error;
    }
  }

  private load(module: string): Promise<LoadedSystem> {
    const loading = this.systems.get(module) ?? loadSystem(module);
    this.systems.set(module, loading);
    return loading;
  }
}

async function replayOne(path: string, replaying: Replaying, { out, json, byRound }: Options): Promise<void> {
  const replayed = await replaying.replay(path).catch((error: unknown) => {
    if (error instanceof Stopped) printStopped(path, json);
    throw error;
  });
  const saved = savedFrom(replayed.found, out);
  const why = await replaying.why(replayed);
  if (json) printJson('replay', { ...replayJson(replayed, saved), why });
  else printReplay({ ...replayed, why }, saved, byRound);
  reportToGitHub(violationsIn(replayed, saved, why));
  mustBeSaved(saved.find(({ unsaved }) => unsaved !== undefined)?.unsaved);
  exitWith(exitCodeOf(replayed.found));
}

/** The violations that a replay shows: the recorded one, or others near it. */
function violationsIn({ path, found }: Replayed, saved: readonly SavedTrace[], why?: string): GitHubViolation[] {
  const again = found.answer === 'sampled' && found.trace !== undefined ? [{ trace: found.trace, path }] : [];
  if (found.answer !== 'reproduced') return [...again, ...saved];
  return found.trace.verdict.verdict === 'violated' ? [{ trace: found.trace, path: saved[0]?.path ?? path, why }] : [];
}

function printStopped(path: string, json: boolean): void {
  if (json) printJson('replay', { path, answer: 'unknown', interrupted: true });
  else printLines([`stopped   before an answer: whether ${path} still fails is unknown`]);
}

async function replayAll(folder: string, replaying: Replaying, { json }: Options): Promise<void> {
  const paths = tracesToReplay(folder);
  const all = new ReplayedAll(folder, paths.length, json);
  try {
    for (const path of paths) await all.add(path, () => replaying.replay(path));
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    all.end(true);
    throw all.exitCode === 1 ? new Stopped(1) : error;
  }
  all.end(false);
  exitWith(all.exitCode);
}

import { HANDLER_MS } from '../kernel/drive.ts';
import { HANDLER_RETURNS } from '../kernel/loop.ts';
import { showingPrinting } from '../kernel/user-code/console-capture.ts';
import { CulpritError } from '../error.ts';
import { ReplayDiverged } from '../schedule/replay/exact-replay.ts';
import { NotRepeated } from '../execution/prefix-sessions.ts';
import { parsePass, passesFor } from './pass-registry.ts';
import { passesIn } from './pipelines.ts';
import { RepeatedTrials, replaysInARow, type Reproduction } from './flaky.ts';
import { WaitingReplays, type PassingReport } from '../execution/waiting-replay.ts';
import { recordOf, withRecord } from './minimization-record.ts';
import { ProgressReporter, type RecordFailing } from './progress-reporter.ts';
import { Minimizer, type LiveExecution, type MinimizeLimits } from './minimizer.ts';
import { trialExecutor, type TrialWork } from './trial-jobs.ts';
import { GivenUp } from '../kernel/user-code/overdue.ts';
import { rateInterval } from '../execution/rate.ts';
import { mustTakeJobs, startSessions } from '../workers/start-sessions.ts';
import { threadsFor, type Threads } from '../workers/threads.ts';
import { fileForWorkers } from '../workers/worker-pool.ts';
import type { CandidateWork } from './candidate-jobs.ts';
import { TrialHelpers } from './trial-helpers.ts';
import { diagnosed, NotDeterministic } from '../determinism/not-deterministic.ts';
import { NothingViolated } from '../execution/nothing-violated.ts';
import { recordAgain } from '../replay/reproduce-finding.ts';
import { record, type Origin } from '../execution/record.ts';
import { originOf, replay, reproduce, violationIn } from '../replay/replay.ts';
import { mustBeSystem, mustBeTrace } from '../system/must-be.ts';
import type { System } from '../system/definition.ts';
import type { Trace } from '../trace/format.ts';
import { eventOf } from '../trace/codec.ts';
import { undeliveredOf } from '../trace/undelivered.ts';
import type { Violated } from '../trace/verdict.ts';
import type { Minimized } from './report.ts';
import { type MinimizeOptions, minimizeOptions } from './options.ts';
import { holdsMessages } from './rules.ts';

/** A trace without a violation. */
export class NothingToMinimize extends NothingViolated {
  readonly code = 'NOTHING_TO_MINIMIZE';

  constructor(verdict: string) {
    super(verdict, 'minimized');
  }
}

/** What to try if a violation does not happen again. */
export const NOT_AGAIN =
  'Replay it more often (culprit replay --replays 100), record it again with a longer `quietMs`, or look for something that outlives an execution, such as a file outside $dir.';

/** A violation that happened once by itself, and in no replay. */
export class NeverAgain extends CulpritError {
  readonly code = 'NEVER_AGAIN';

  constructor({ replays, unknown = 0 }: Reproduction, passing: readonly PassingReport[]) {
    const early = unknown === 0 ? '' : ` (${unknown} of them show nothing: an external came too late)`;
    const others = passing.flatMap(({ rule, passes, otherInVain }) =>
      otherInVain === undefined
        ? []
        : [`, nor in ${otherInVain} in which ${rule} were ${passes ? 'awaited' : 'not awaited'}`],
    );
    const [low, high] = rateInterval(0, replays, unknown).map((rate) => Math.round(rate * 100));
    super(
      `the violation did not happen in ${replays} replays${early}${others.join('')}, a rate of ${low}–${high} %, so that nothing can be minimized.`,
      NOT_AGAIN,
    );
  }
}

/** One or two seconds for most systems. A count rather than a time, so that the result is the same on every machine. */
const PROOF_STATES = 20_000;

/** Where events appear by themselves: the violation must happen in one of so many replays. Each may take seconds. */
const VERIFY = 20;

/** For a system that is not deterministic: the probability of losing a candidate that fails as often as the best. */
const ERROR = 0.01;

/**
 * Makes a failing execution as simple as possible. If the system is not deterministic, candidates are executed several
 * times; the number depends on the rate at which the violation happens.
 *
 * @example
 * const { trace: smaller, certificate } = await minimize(system, trace, { seconds: 10 });
 */
export async function minimize(system: System, trace: Trace, options: MinimizeOptions = {}): Promise<Minimized> {
  mustBeSystem('minimize', system);
  mustBeTrace('minimize', trace);
  const checked = minimizeOptions.checked(options);
  return await showingPrinting(checked.verbose, () =>
    minimizeBy(threadsFor(checked.workers ?? 1), system, trace, checked),
  );
}

/** The same with these threads, and options that have been checked. */
export async function minimizeBy(
  threads: Threads,
  system: System,
  trace: Trace,
  options: MinimizeOptions,
): Promise<Minimized> {
  const {
    proofStates = PROOF_STATES,
    schedules = Number.POSITIVE_INFINITY,
    seconds = Number.POSITIVE_INFINITY,
    error = ERROR,
  } = options;
  const violation = violationIn(trace);
  if (violation === undefined) throw new NothingToMinimize(trace.verdict.verdict);
  const handler = { handlerMs: options.handlerMs ?? HANDLER_MS };
  const origin = originOf(system, trace, handler);
  const { guarantees } = origin.system;
  const passes = passesIn(options.passes ?? passesFor(trace, holdsMessages(origin.system)));
  for (const name of passes) parsePass(name);
  const task = {
    origin,
    trace,
    violation,
    options,
    passes,
    limits: { schedules, seconds, proofStates, signal: options.signal },
    error,
  };
  mustTakeJobs(options.jobs ?? 1, origin.system, 'Omit jobs: the candidates of such a system take their turns.');
  const waits = WaitingReplays.of(origin);
  if (waits !== undefined) return await minimizeLive(system, task, waits);
  // Nothing is compared with the recording where no execution is promised to repeat.
  if (!guarantees.repeatable) return await minimizeRepeatedly(task, newMinimizer(task), undefined);
  const helpers = helpersFor(system, task, threads);
  try {
    const first = newMinimizer({ ...task, helpers });
    const problem = await replayProblem(replay(system, trace, handler));
    const minimized = problem === undefined ? await unlessNotRepeated(finish(task, first)) : undefined;
    return await (minimized ?? minimizeRepeatedly(task, first, problem));
  } finally {
    await helpers?.end();
  }
}

/** The threads that execute candidates besides this one; undefined if there are none. */
function helpersFor(
  given: System,
  { origin, trace, violation, options }: MinimizeTask,
  threads: Threads,
): TrialHelpers | undefined {
  // A handler that does not return ends the thread that it runs in.
  if (threads.workers === 1 || violation.oracle === HANDLER_RETURNS) return undefined;
  const { system, isOverdue: _never, ...plain } = origin;
  const { values: _values, ...sought } = violation;
  const work: CandidateWork = {
    kind: 'candidates',
    origin: plain,
    violation: sought,
    original: trace.events.map(eventOf),
  };
  return new TrialHelpers(threads, () => {
    const file = fileForWorkers(given, options.module ?? origin.module);
    const nth = file === given.file ? given.nth : undefined;
    return { file, nth, parameters: system.parameters, probe: trace, work };
  });
}

/** How the replay differs from the recording; undefined if it does not. */
const replayProblem = (replayed: Promise<Trace>): Promise<CulpritError | undefined> =>
  replayed.then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof NotDeterministic || error instanceof ReplayDiverged) return error;
      throw error;
    },
  );

/** Undefined if an execution that had failed did not fail again. */
const unlessNotRepeated = (minimized: Promise<Minimized>): Promise<Minimized | undefined> =>
  minimized.catch((error: unknown) => {
    if (error instanceof NotRepeated || error instanceof ReplayDiverged) return undefined;
    throw error;
  });

interface MinimizeTask {
  readonly origin: Origin;
  readonly trace: Trace;
  readonly violation: Violated;
  readonly options: MinimizeOptions;
  readonly passes: readonly string[];
  readonly limits: MinimizeLimits;
  readonly error: number;
  /** Where events appear by themselves. */
  readonly live?: LiveExecution;
  /** Other threads that execute candidates. */
  readonly helpers?: TrialHelpers | undefined;
}

/** Minimizes where events appear by themselves, with as many executions at a time as there are jobs. */
async function minimizeLive(given: System, task: MinimizeTask, waits: WaitingReplays): Promise<Minimized> {
  const { origin, violation, options } = task;
  const { system: resolved, isOverdue: _never, ...plain } = origin;
  const work: TrialWork = { kind: 'trials', origin: plain, violation };
  const shared = { given, resolved, module: options.module ?? origin.module };
  const execute = () => trialExecutor(origin, violation);
  const runner = startSessions(options.jobs ?? 1, shared, execute, work);
  const end = (): void => void runner.end();
  options.signal?.addEventListener('abort', end, { once: true });
  if (options.signal?.aborted === true) end();
  try {
    const minimized = minimizeRepeatedly({ ...task, live: { runner, waits } }, undefined, undefined);
    return (await unlessGivenUp(minimized)) ?? unminimized(task);
  } finally {
    options.signal?.removeEventListener('abort', end);
    await runner.end();
  }
}

/** Starts over with repeated executions, within the remaining budget. */
async function minimizeRepeatedly(
  task: MinimizeTask,
  spent: Minimizer | undefined,
  problem: CulpritError | undefined,
): Promise<Minimized> {
  const { origin, trace, limits, error } = task;
  const left = {
    schedules: limits.schedules - (spent?.trials.schedules ?? 0),
    seconds: limits.seconds - (spent?.seconds ?? 0),
  };
  const repeats = new RepeatedTrials(error, task.live && VERIFY);
  const minimizer = newMinimizer({ ...task, limits: { ...limits, ...left } }, repeats);
  const { rate } = await minimizer.verify();
  // A violation that never happens, or always happens but not as recorded, is not a matter of chance: the system was
  // changed.
  if (rate === 0 && !origin.system.guarantees.repeatable)
    throw new NeverAgain(minimizer.reproduction, minimizer.passing);
  if (rate === 0 || (rate === 1 && problem instanceof ReplayDiverged)) {
    const gone = new ReplayDiverged(trace.events.length, 'the violation happened once, but not again.');
    throw problem ?? (await diagnosed(gone, origin, trace.events.map(eventOf)));
  }
  return await finish(task, minimizer, repeats);
}

function newMinimizer(
  { origin, trace, violation, options, passes, limits, live, helpers }: MinimizeTask,
  repeats?: RepeatedTrials,
): Minimizer {
  const write = repeats === undefined ? recordOnce(origin) : recordRepeatedly(origin, live?.waits);
  const reporter = new ProgressReporter(trace, passes, options, write);
  const events = trace.events.map(eventOf);
  live?.waits.knows(events, undeliveredOf(trace));
  const minimizer: Minimizer = new Minimizer(
    origin,
    events,
    violation,
    limits,
    { scheduleTried: () => reporter.report(minimizer) },
    repeats,
    live,
    helpers,
  );
  return minimizer;
}

async function finish(task: MinimizeTask, minimizer: Minimizer, repeats?: RepeatedTrials): Promise<Minimized> {
  const { origin, passes, live } = task;
  const waits = live?.waits;
  if (repeats === undefined) await minimizer.verify();
  if (live !== undefined) await minimizer.control();
  const certified = await minimizer.run(passes);
  const { seconds, stages, trials, shrinkCurve } = minimizer;
  const { schedules } = trials;
  const { isGone, withoutAbsent } = await replayResult(task, minimizer, repeats);
  const certificate = isGone ? undefined : certified;
  const write = repeats === undefined ? recordOnce(origin) : recordRepeatedly(origin, waits);
  const trace = await write(minimizer.best);
  if (trace === undefined) throw new NotRepeated();
  // In sequence: two executions at the same time would look like leaks to each other.
  const others: Trace[] = [];
  const waiting = waits?.counts;
  for (const failing of minimizer.others.values()) {
    const other = await write(failing);
    if (other !== undefined) others.push(other);
  }
  return {
    trace: withRecord(recordOf(task.trace, passes), trace, { schedules, shrinkCurve, waiting }, certificate),
    ...(waiting === undefined
      ? {}
      : { waiting, passing: minimizer.passing, controls: minimizer.controls, wasted: trials.wasted }),
    ...(withoutAbsent === 0 ? {} : { withoutAbsent }),
    inputs: minimizer.inputs,
    reproduction: withInterval(minimizer.reproduction, live !== undefined),
    stages,
    schedules,
    proofStates: minimizer.shortestProof.proofStates,
    seconds,
    certificate,
    others,
  };
}

/** Replays the result. Says whether it failed in no replay, and how many events it needs not await to fail after all. */
async function replayResult(
  { violation, options, error, live }: MinimizeTask,
  minimizer: Minimizer,
  repeats: RepeatedTrials | undefined,
): Promise<{ readonly isGone: boolean; readonly withoutAbsent: number }> {
  // A handler that does not return takes seconds each time, so it is replayed only once.
  const isWaitedFor = violation.oracle !== HANDLER_RETURNS && options.signal?.aborted !== true;
  if (repeats === undefined) await minimizer.confirm(isWaitedFor ? replaysInARow(error) : 1);
  else if (live === undefined || isWaitedFor) await unlessGivenUp(minimizer.measure());
  const isGone = live !== undefined && isWaitedFor && minimizer.reproduction.rate === 0;
  const withoutAbsent = isGone ? await unlessGivenUp(minimizer.measureWithoutAbsent()) : undefined;
  return { isGone, withoutAbsent: withoutAbsent ?? 0 };
}

/** Undefined if the signal came first. */
const unlessGivenUp = <T>(work: Promise<T>): Promise<T | undefined> =>
  work.catch((error: unknown) => {
    if (error instanceof GivenUp) return undefined;
    throw error;
  });

/** The signal came before the violation was replayed once: the trace is as it was. */
const unminimized = ({ trace, passes }: MinimizeTask): Minimized => ({
  trace: withRecord(recordOf(trace, passes), trace, { schedules: 0, shrinkCurve: [] }),
  reproduction: { rate: 0, replays: 0 },
  stages: [],
  schedules: 0,
  proofStates: 0,
  seconds: 0,
  certificate: undefined,
  others: [],
});

/** Where events appear by themselves, a rate is reported with the interval that the true rate is in. */
const withInterval = (reproduction: Reproduction, isLive: boolean): Reproduction => {
  if (!isLive) return reproduction;
  const { rate, replays, unknown } = reproduction;
  return { ...reproduction, interval: rateInterval(Math.round(rate * replays), replays, unknown) };
};

/** Executes it twice: to record it, and to check that the recording replays. */
const recordOnce =
  (origin: Origin): RecordFailing =>
  async ({ events, violation }) => {
    const trace = await reproduce(origin, await record(origin, events));
    if (violationIn(trace)?.fingerprint !== violation.fingerprint) throw new NotRepeated();
    return trace;
  };

/** For a violation that happens only sometimes. */
const recordRepeatedly =
  (origin: Origin, waits?: WaitingReplays): RecordFailing =>
  ({ events, violation, trace }) =>
    // What happened by itself was written down when it did.
    trace === undefined ? recordAgain(origin, events, violation, waits) : Promise.resolve(trace);

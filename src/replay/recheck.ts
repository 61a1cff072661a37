import { ReplayDiverged } from '../schedule/replay/exact-replay.ts';
import { PartialReplay } from '../schedule/replay/partial-replay.ts';
import { reproduced } from './reproduce-finding.ts';
import { showingPrinting } from '../kernel/user-code/console-capture.ts';
import { Neighborhood, type ViolatingExecution, type Tried } from './neighborhood.ts';
import { diagnosed, diagnosedReplay } from '../determinism/not-deterministic.ts';
import { count, countOrAuto, text } from '../kernel/options/fields.ts';
import { handlerFields, optionsOf, signal } from '../kernel/options/options.ts';
import { writeDown, type Origin } from '../execution/record.ts';
import { NothingViolated } from '../execution/nothing-violated.ts';
import { replayExecutor, type ReplayWork } from '../execution/waiting-replay.ts';
import { mustTakeJobs, startSessions } from '../workers/start-sessions.ts';
import { renameHint } from './renamed-processes.ts';
import { REPLAYS, sampledReplay, type ReplaySample } from './sampled-replay.ts';
import { originOf, reproduce, reproduceSaved, violationIn, type ReplayOptions } from './replay.ts';
import { mustBeSystem, mustBeTrace } from '../system/must-be.ts';
import type { System } from '../system/definition.ts';
import type { Trace } from '../trace/format.ts';
import { eventOf } from '../trace/codec.ts';
import { reachOf, type Reach } from '../trace/divergence.ts';
import type { Violated } from '../trace/verdict.ts';

/** The options of `recheck`. */
export interface RecheckOptions extends ReplayOptions {
  /** The number of nearby schedules that are tried if the recorded one no longer leads to the violation; 200 by default. */
  readonly neighbors?: number;
  /** The number of replays of a system that is not repeatable; 10 by default. */
  readonly replays?: number;
  /** The number of replays at a time, for a system whose processes act by themselves; 1 by default. */
  readonly jobs?: number | 'auto';
  /** With several jobs: the module that exports the system by default, relative to its package; by default that of the trace. */
  readonly module?: string | undefined;
  /** Ends the replays of a system that is not repeatable: then the promise rejects, and no session is left. */
  readonly signal?: AbortSignal;
}

/** The first difference between an execution and its recording. */
export interface Deviation {
  /** Number of the event, from 1. */
  readonly event: number;
  /** The difference, as a sentence. */
  readonly what: string;
}

/** The violation still happens. */
export interface Reproduced {
  readonly answer: 'reproduced';
  /** How it happens: exactly as recorded, by the same schedule with stand-ins for missing events, or by a nearby schedule. */
  readonly by: 'replay' | 'stand-ins' | 'neighbor';
  /** The execution that ends with the violation. */
  readonly trace: Trace;
  /** The first difference of the exact replay; undefined if there is none. */
  readonly deviation: Deviation | undefined;
  /** How many schedules it took. */
  readonly tried: Tried;
}

/** The violation no longer happens, although the recording still runs to its end. */
export interface Fixed {
  readonly answer: 'fixed';
  /** The execution of the recorded events by the system of today. */
  readonly trace: Trace;
  /** The event that a process in the same state now handles differently; undefined if every event happened. */
  readonly otherwise: Deviation | undefined;
  /** How many nearby schedules were executed without the violation. */
  readonly tried: Tried;
  /** Other violations that happened, one of each kind. */
  readonly others: readonly Trace[];
}

/** The violation does not happen, but the recording leads elsewhere: whether it is fixed is unknown. */
export interface Diverged {
  readonly answer: 'diverged';
  /** The first difference from the recording. */
  readonly deviation: Deviation;
  /** A possible explanation: a question whether a process was renamed. */
  readonly hint: string | undefined;
  /** How many nearby schedules were executed without the violation. */
  readonly tried: Tried;
  /** Other violations that happened, one of each kind. */
  readonly others: readonly Trace[];
}

/** A trace without a violation, of a system that is not repeatable: replays have nothing to count. */
class NothingToSample extends NothingViolated {
  readonly code = 'NOTHING_TO_SAMPLE';

  constructor(verdict: string) {
    super(verdict, 'counted');
  }
}

/** The answer of `recheck`: reproduced, fixed or diverged; a rate where executions do not repeat. */
export type Recheck = Reproduced | Fixed | Diverged | ReplaySample;

/** The default number of nearby schedules. */
export const NEIGHBORS = 200;

export const recheckOptions = optionsOf<RecheckOptions>('recheck', {
  ...handlerFields,
  neighbors: count(0),
  replays: count(1),
  jobs: countOrAuto,
  module: text,
  signal,
});

/**
 * Says whether the violation of a trace still happens after a change of the system. A trace that no longer runs as
 * recorded is not enough to call it fixed: see `Fixed` and `Diverged`.
 *
 * @example
 * const { answer } = await recheck(system, trace);
 */
export async function recheck(system: System, trace: Trace, options: RecheckOptions = {}): Promise<Recheck> {
  mustBeSystem('recheck', system);
  mustBeTrace('recheck', trace);
  const checked = recheckOptions.checked(options);
  return await showingPrinting(checked.verbose, () => recheckQuietly(system, trace, checked));
}

async function recheckQuietly(system: System, trace: Trace, options: RecheckOptions): Promise<Recheck> {
  const neighbors = options.neighbors ?? NEIGHBORS;
  const origin = originOf(system, trace, options);
  const schedule = trace.events.map(eventOf);
  const recorded = violationIn(trace);
  mustTakeJobs(options.jobs ?? 1, origin.system, 'Omit jobs: a repeatable system is replayed once.');
  if (!origin.system.guarantees.repeatable) {
    if (recorded === undefined) throw new NothingToSample(trace.verdict.verdict);
    return await sampledSideBySide(system, origin, trace, recorded, options);
  }
  try {
    const again = await reproduceSaved(origin, trace);
    const tried = { schedules: 1, distinct: 1, unknown: 0 };
    return { answer: 'reproduced', by: 'replay', trace: again, deviation: undefined, tried };
  } catch (error) {
    const diagnosis = await diagnosedReplay(error, origin, schedule);
    const violation = recorded;
    // Nondeterminism is no change of the system, and a trace without a violation has nothing to fix.
    if (!(diagnosis instanceof ReplayDiverged) || violation === undefined) throw diagnosis;
    await mustBeSteady(diagnosis, origin, trace);
    return await new Rechecking(origin, trace, violation, { event: diagnosis.event, what: diagnosis.what }).run(
      neighbors,
    );
  }
}

/** Replays, as many at a time as there are jobs. */
async function sampledSideBySide(
  given: System,
  origin: Origin,
  trace: Trace,
  violation: Violated,
  { jobs = 1, module, replays = REPLAYS, signal: stop }: RecheckOptions,
): Promise<ReplaySample> {
  const isOverdue = (): boolean => stop?.aborted === true;
  const { system: resolved, isOverdue: _never, ...plain } = origin;
  const work: ReplayWork = { kind: 'replays', origin: plain };
  const shared = { given, resolved, module: module ?? origin.module };
  const runner = startSessions(jobs, shared, () => replayExecutor({ ...origin, isOverdue }), work);
  const ended = (): void => void runner.end();
  stop?.addEventListener('abort', ended, { once: true });
  try {
    return await sampledReplay({ ...origin, isOverdue }, trace, violation, { replays, runner });
  } finally {
    stop?.removeEventListener('abort', ended);
    await runner.end();
  }
}

/** The number of times that the replay must differ in the same way: random differences may agree a few times. */
const STEADY = 10;

async function mustBeSteady({ event, what }: ReplayDiverged, origin: Origin, trace: Trace): Promise<void> {
  for (let times = 1; times < STEADY; times++) {
    const again = await reproduceSaved(origin, trace).catch((error: unknown) => error);
    if (again instanceof ReplayDiverged && again.event === event && again.what === what) continue;
    if (again instanceof Error && !(again instanceof ReplayDiverged)) throw again;
    throw await diagnosed(new ReplayDiverged(event, what), origin, trace.events.map(eventOf));
  }
}

/** Examines a trace that does not run as recorded. */
class Rechecking {
  private readonly neighborhood: Neighborhood;

  constructor(
    private readonly origin: Origin,
    private readonly trace: Trace,
    violation: Violated,
    private readonly deviation: Deviation,
  ) {
    this.neighborhood = new Neighborhood(origin, trace.events.map(eventOf), violation);
  }

  async run(schedules: number): Promise<Recheck> {
    const alongside = await this.neighborhood.alongside();
    if (alongside !== undefined) return await this.reproduced('stand-ins', alongside);
    const neighbor = await this.neighborhood.around(schedules);
    if (neighbor !== undefined) return await this.reproduced('neighbor', neighbor);
    const { trace, reach } = await this.retraced();
    const { deviation, neighborhood } = this;
    const tried = neighborhood.tried;
    const others: Trace[] = [];
    for (const other of neighborhood.others.values()) others.push(await this.written(other));
    return reach.isReached && trace.verdict.verdict === 'holds'
      ? { answer: 'fixed', trace, otherwise: reach.otherwise, tried, others }
      : { answer: 'diverged', deviation, hint: renameHint(this.trace, this.origin.system), tried, others };
  }

  private async reproduced(by: 'stand-ins' | 'neighbor', met: ViolatingExecution): Promise<Reproduced> {
    const { deviation, neighborhood } = this;
    return { answer: 'reproduced', by, trace: await this.written(met), deviation, tried: neighborhood.tried };
  }

  private async written({ session, violation }: ViolatingExecution): Promise<Trace> {
    try {
      return await reproduced(this.origin, session, violation);
    } catch (error) {
      throw await diagnosed(error, this.origin, session.recording.events.since(0));
    }
  }

  /**
   * Executes the events of the recording that can still happen, twice: a difference between the two executions is
   * nondeterminism.
   */
  private async retraced(): Promise<{ trace: Trace; reach: Reach }> {
    const { origin, trace: recorded } = this;
    let retracing = new PartialReplay(recorded.events.map(eventOf));
    const begun = () => (retracing = new PartialReplay(recorded.events.map(eventOf)));
    const trace = await writeDown(origin, begun, Number.POSITIVE_INFINITY);
    try {
      await reproduce(origin, trace);
    } catch (error) {
      throw await diagnosed(error, origin, trace.events.map(eventOf));
    }
    const now = recorded.events.map((_line, at) => trace.events[retracing.places[at] ?? -1]);
    return { trace, reach: reachOf({ recorded: recorded.events, now }) };
  }
}

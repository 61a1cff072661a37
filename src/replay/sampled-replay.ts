import { isSameBug } from '../execution/same-bug.ts';
import { rateInterval, type Interval } from '../execution/rate.ts';
import type { Origin } from '../execution/record.ts';
import {
  replayExecutor,
  WaitingReplays,
  type PassingReport,
  type ReplayJob,
  type ReplayResult,
  type WaitingCounts,
} from '../execution/waiting-replay.ts';
import { withoutFaults } from '../system/without-faults.ts';
import type { WaitingReplayCounts, WaitingReport } from '../schedule/replay/waiting-report.ts';
import { defaultPace } from '../kernel/declaration.ts';
import { GivenUp } from '../kernel/user-code/overdue.ts';
import type { Event } from '../trace/event.ts';
import { eventOf } from '../trace/codec.ts';
import type { Trace } from '../trace/format.ts';
import { undeliveredOf } from '../trace/undelivered.ts';
import type { Violated } from '../trace/verdict.ts';
import { inOrder } from '../workers/in-order.ts';
import { LocalRunner, type SessionRunner } from '../workers/session-runner.ts';
import { violationIn } from './replay.ts';
import { comparedByRound, type RoundComparison } from './rounds-compared.ts';

/**
 * The answer for a system that is not repeatable: how often replays lead to the violation. Never *fixed*: replays cannot show
 * that it no longer happens.
 */
export interface ReplaySample {
  readonly answer: 'sampled';
  readonly replays: number;
  /** The number of replays that led to the violation. */
  readonly reproduced: number;
  /** The true rate is in this interval, with 95 % confidence. */
  readonly interval: Interval;
  /** Of the others, how many show nothing: the verdict is unknown, or an external came too late. */
  readonly unknown: number;
  /** How the replays waited, with the control. */
  readonly waiting: WaitingCounts;
  /** Of each rule that depends on the whole recording: whether its messages passed. */
  readonly passing: readonly PassingReport[];
  /** How each replay compares with the recording, in their order, without the control. */
  readonly byReplay: readonly SampledReplay[];
  /** The same round by round, for each replay. */
  readonly byRound: readonly (readonly RoundComparison[])[];
  /** The same without faults: a violation here needs none. */
  readonly control: { readonly replays: number; readonly reproduced: number; readonly unknown: number };
  /** The last replay that led to the violation. */
  readonly trace: Trace | undefined;
  /** Other violations that happened, one of each kind. */
  readonly others: readonly Trace[];
}

/** One replay: whether it led to the violation, and how it compares with the recording. */
export interface SampledReplay extends WaitingReplayCounts {
  readonly outcome: 'reproduced' | 'not reproduced' | 'unknown';
}

/** The default number of replays. */
export const REPLAYS = 10;

/** What replays need besides the recording. */
export interface SampledReplayOptions {
  readonly replays: number;
  /** Executes the replays; in this thread if undefined. */
  readonly runner?: SessionRunner<ReplayJob, ReplayResult> | undefined;
}

export async function sampledReplay(
  origin: Origin,
  recorded: Trace,
  violation: Violated,
  { replays, runner }: SampledReplayOptions,
): Promise<ReplaySample> {
  const events = recorded.events.map(eventOf);
  const waits = WaitingReplays.of(origin);
  if (waits === undefined) throw new Error('a system in which nothing happens by itself is replayed exactly');
  waits.knows(events, undeliveredOf(recorded));
  const sampling = { origin, waits, violation, events, runner };
  const first = await sampleOf(sampling, events, replays);
  const isOther = first.reproduced === 0 && waits.useOtherRules(events, replays);
  const sample = isOther ? await sampleOf(sampling, events, replays) : first;
  const without = withoutFaults(events, origin.system.hints);
  // Without a fault in the recording, the replays are their own control.
  const control = without.length < events.length ? await sampleOf(sampling, without, replays, 'pass') : sample;
  return {
    answer: 'sampled',
    replays,
    reproduced: sample.reproduced,
    interval: rateInterval(sample.reproduced, replays, sample.unknown),
    unknown: sample.unknown,
    waiting: waits.counts,
    passing: waits.passingIn(events),
    byReplay: sample.byReplay,
    byRound: sample.byRound,
    control: { replays, reproduced: control.reproduced, unknown: control.unknown },
    trace: sample.trace,
    others: [...sample.others.values()],
  };
}

interface Sampling {
  readonly origin: Origin;
  readonly waits: WaitingReplays;
  readonly violation: Violated;
  /** As recorded. */
  readonly events: readonly Event[];
  readonly runner?: SessionRunner<ReplayJob, ReplayResult> | undefined;
}

interface Sample {
  reproduced: number;
  unknown: number;
  trace: Trace | undefined;
  readonly others: Map<string, Trace>;
  readonly byReplay: SampledReplay[];
  readonly byRound: RoundComparison[][];
}

/** Replays a part of a recording so often, and counts how often it leads to the violation. */
export async function sampleOf(
  { origin, waits, violation, events, runner = new LocalRunner(replayExecutor(origin)) }: Sampling,
  schedule: readonly Event[],
  replays: number,
  unexpected?: 'pass',
): Promise<Sample> {
  const sample: Sample = { reproduced: 0, unknown: 0, trace: undefined, others: new Map(), byReplay: [], byRound: [] };
  const roundMs = origin.system.pace?.roundMs ?? defaultPace.roundMs;
  let begun = 0;
  const next = (): ReplayJob | undefined => {
    if (begun >= replays) return undefined;
    begun += 1;
    return { schedule, recording: events, known: waits.knownOf(schedule, events, unexpected) };
  };
  if (origin.isOverdue?.() === true) throw new GivenUp();
  for await (const { result } of inOrder(runner, next)) {
    const report = waits.learn(schedule, result.waited);
    addReplay(sample, result.trace, report, violation);
    sample.byRound.push(comparedByRound(schedule, result.trace, report, roundMs));
    if (origin.isOverdue?.() === true) throw new GivenUp();
  }
  return sample;
}

function addReplay(sample: Sample, trace: Trace, report: WaitingReport, violation: Violated): void {
  const now = violationIn(trace);
  const outcome = outcomeOf(trace, report, violation);
  sample.byReplay.push({ outcome, ...report.counts });
  if (outcome === 'reproduced') {
    sample.reproduced += 1;
    sample.trace = trace;
    return;
  }
  if (outcome === 'unknown') sample.unknown += 1;
  if (now !== undefined && !sample.others.has(now.fingerprint)) sample.others.set(now.fingerprint, trace);
}

function outcomeOf(trace: Trace, { isEarly }: WaitingReport, violation: Violated): SampledReplay['outcome'] {
  const now = violationIn(trace);
  if (now !== undefined && isSameBug(now, violation)) return 'reproduced';
  return isEarly || trace.verdict.verdict === 'unknown' ? 'unknown' : 'not reproduced';
}

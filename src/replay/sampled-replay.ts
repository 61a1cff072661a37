import { isSameBug } from '../execution/same-bug.ts';
import { rateInterval, type Interval } from '../execution/rate.ts';
import type { Origin } from '../execution/record.ts';
import { recordWaiting, WaitingReplays, type WaitingCounts } from '../execution/waiting-replay.ts';
import type { WaitingReplayCounts, WaitingReport } from '../schedule/replay/waiting-report.ts';
import { GivenUp } from '../kernel/user-code/overdue.ts';
import type { Event } from '../trace/event.ts';
import { eventOf } from '../trace/codec.ts';
import type { Trace } from '../trace/format.ts';
import type { Violated } from '../trace/verdict.ts';
import { violationIn } from './replay.ts';

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
  /** How each replay compares with the recording, in their order, without the control. */
  readonly byReplay: readonly SampledReplay[];
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

/** Faults are what a system must survive; the rest of the externals is its work. */
const faultKinds: ReadonlySet<Event['kind']> = new Set([
  'crash',
  'restart',
  'cut',
  'heal',
  'lose',
  'duplicate',
  'hold',
  'pause',
  'resume',
]);

export async function sampledReplay(
  origin: Origin,
  recorded: Trace,
  violation: Violated,
  replays: number,
): Promise<ReplaySample> {
  const events = recorded.events.map(eventOf);
  const waits = WaitingReplays.of(origin);
  if (waits === undefined) throw new Error('a system in which nothing happens by itself is replayed exactly');
  const sample = await sampleOf({ origin, waits, violation, events }, events, replays);
  const without = events.filter(({ kind }) => !faultKinds.has(kind));
  const hasFaults = without.length < events.length;
  // Without a fault in the recording, the replays are their own control.
  const control = hasFaults ? await sampleOf({ origin, waits, violation, events }, without, replays) : sample;
  return {
    answer: 'sampled',
    replays,
    reproduced: sample.reproduced,
    interval: rateInterval(sample.reproduced, replays, sample.unknown),
    unknown: sample.unknown,
    waiting: waits.counts,
    byReplay: sample.byReplay,
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
}

interface Sample {
  reproduced: number;
  unknown: number;
  trace: Trace | undefined;
  readonly others: Map<string, Trace>;
  readonly byReplay: SampledReplay[];
}

/** Replays a part of a recording so often, and counts how often it leads to the violation. */
export async function sampleOf(
  { origin, waits, violation, events }: Sampling,
  schedule: readonly Event[],
  replays: number,
): Promise<Sample> {
  const sample: Sample = { reproduced: 0, unknown: 0, trace: undefined, others: new Map(), byReplay: [] };
  for (let replay = 0; replay < replays; replay++) {
    if (origin.isOverdue?.() === true) throw new GivenUp();
    const { result: trace, report } = await recordWaiting(waits, origin, schedule, events);
    const now = violationIn(trace);
    const outcome = outcomeOf(trace, report, violation);
    sample.byReplay.push({ outcome, ...report.counts });
    if (outcome === 'reproduced') {
      sample.reproduced += 1;
      sample.trace = trace;
      continue;
    }
    if (outcome === 'unknown') sample.unknown += 1;
    if (now !== undefined && !sample.others.has(now.fingerprint)) sample.others.set(now.fingerprint, trace);
  }
  return sample;
}

function outcomeOf(trace: Trace, { isEarly }: WaitingReport, violation: Violated): SampledReplay['outcome'] {
  const now = violationIn(trace);
  if (now !== undefined && isSameBug(now, violation)) return 'reproduced';
  return isEarly || trace.verdict.verdict === 'unknown' ? 'unknown' : 'not reproduced';
}

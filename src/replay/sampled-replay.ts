import { isSameBug } from '../execution/same-bug.ts';
import { rateInterval, type Interval } from '../execution/rate.ts';
import type { Origin } from '../execution/record.ts';
import { recordWaiting } from '../execution/waiting-replay.ts';
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
export interface Sampled {
  readonly answer: 'sampled';
  readonly replays: number;
  /** The number of replays that led to the violation. */
  readonly reproduced: number;
  /** The true rate is in this interval, with 95 % confidence. */
  readonly interval: Interval;
  /** The same without faults: a violation here needs none. */
  readonly control: { readonly replays: number; readonly reproduced: number };
  /** The last replay that led to the violation. */
  readonly trace: Trace | undefined;
  /** Other violations that happened, one of each kind. */
  readonly others: readonly Trace[];
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
]);

export async function sampledReplay(
  origin: Origin,
  recorded: Trace,
  violation: Violated,
  replays: number,
): Promise<Sampled> {
  const events = recorded.events.map(eventOf);
  const sample = await sampleOf(origin, events, violation, replays);
  const without = events.filter(({ kind }) => !faultKinds.has(kind));
  const hasFaults = without.length < events.length;
  // Without a fault in the recording, the replays are their own control.
  const control = hasFaults ? await sampleOf(origin, without, violation, replays) : sample;
  return {
    answer: 'sampled',
    replays,
    reproduced: sample.reproduced,
    interval: rateInterval(sample.reproduced, replays),
    control: { replays, reproduced: control.reproduced },
    trace: sample.trace,
    others: [...sample.others.values()],
  };
}

interface Sample {
  reproduced: number;
  trace: Trace | undefined;
  readonly others: Map<string, Trace>;
}

async function sampleOf(
  origin: Origin,
  events: readonly Event[],
  violation: Violated,
  replays: number,
): Promise<Sample> {
  const sample: Sample = { reproduced: 0, trace: undefined, others: new Map() };
  for (let replay = 0; replay < replays; replay++) {
    if (origin.isOverdue?.() === true) throw new GivenUp();
    const trace = await recordWaiting(origin, events);
    const now = violationIn(trace);
    if (now === undefined) continue;
    if (isSameBug(now, violation)) {
      sample.reproduced += 1;
      sample.trace = trace;
    } else if (!sample.others.has(now.fingerprint)) sample.others.set(now.fingerprint, trace);
  }
  return sample;
}

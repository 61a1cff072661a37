import { setImmediate } from 'node:timers/promises';
import { HANDLER_MS } from './kernel/loop.ts';
import { CulpritError } from './error.ts';
import type { Failing } from './minimize/pass.ts';
import { defaultPasses, passCalled } from './minimize/passes.ts';
import { externalsIn, Minimizing } from './minimizing.ts';
import { checkAmount, checkCount } from './options.ts';
import { record, type Origin } from './record.ts';
import { originOf, replay, reproduce } from './replay.ts';
import type { System } from './targets/actors/system.ts';
import type { Header, Trace } from './trace/format.ts';
import { eventOf } from './trace/lines.ts';
import type { Violated } from './trace/verdict.ts';

export interface MinimizeOptions {
  /** Names of passes, such as `provenance` and `externals:type`; they take turns until none of them finds anything. */
  readonly passes?: readonly string[];
  /** How many schedules may be executed. */
  readonly schedules?: number;
  /** How many seconds it may take. */
  readonly seconds?: number;
  readonly handlerMs?: number | undefined;
  /** Ends it early, with what there is by then. */
  readonly signal?: AbortSignal | undefined;
  /** Told now and then how it is getting on. */
  readonly onProgress?: (progress: MinimizeProgress) => void;
  /** Given the best so far, now and then: whoever keeps it loses nothing. */
  readonly onBest?: (best: Trace) => void;
}

/** What was left after a pass, and what had been spent by then. */
export interface Stage {
  readonly pass: string;
  readonly events: number;
  readonly externals: number;
  readonly schedules: number;
  readonly seconds: number;
}

export interface MinimizeProgress extends Stage {
  readonly initialEvents: number;
  readonly schedulesMax: number;
  readonly secondsMax: number;
}

/** `1-minimal`: every single event was left out once, and nothing failed. */
export type Certificate = '1-minimal';

export interface Minimized {
  /**
   * The simplest execution found; it ends with the same violation, and was executed again to see that it does. Its header
   * says what it was made from: given to `minimize` again, it goes on from there.
   */
  readonly trace: Trace;
  readonly stages: readonly Stage[];
  readonly schedules: number;
  readonly seconds: number;
  /** Undefined where a budget ran out before. */
  readonly certificate: Certificate | undefined;
  /** Other violations met on the way, one of each kind. */
  readonly others: readonly Trace[];
}

/** A trace that has nothing to minimise. */
export class NothingToMinimize extends CulpritError {
  readonly code = 'NOTHING_TO_MINIMIZE';

  constructor(verdict: string) {
    super(
      `the execution ends with ${verdict}: only a violation can be minimised.`,
      'Give a trace that `culprit hunt` saved.',
    );
  }
}

/** How often progress is told, and the best so far handed out. */
const TELL_MS = 200;

/** In the first moments it is large, and what is lost with it is little. */
const HAND_AFTER_MS = 1_000;

/** Handing it out takes at most one part in so many of the time. */
const HAND_SHARE = 5;

/** Makes a failing execution as simple as it can. */
export async function minimize(system: System, trace: Trace, options: MinimizeOptions = {}): Promise<Minimized> {
  const { passes = defaultPasses, schedules = Number.POSITIVE_INFINITY, seconds = Number.POSITIVE_INFINITY } = options;
  if (schedules !== Number.POSITIVE_INFINITY) checkCount('schedules', schedules, 1);
  checkAmount('seconds', seconds);
  for (const name of passes) passCalled(name);
  const violation = violationIn(trace);
  const handler = { handlerMs: options.handlerMs ?? HANDLER_MS };
  await replay(system, trace, handler);
  const origin = originOf(system, trace, handler);
  const initial = initialOf(trace, passes);
  const teller = new Teller(origin, initial, trace.events.length, options);
  const minimizing: Minimizing = new Minimizing(
    origin,
    trace.events.map(eventOf),
    violation,
    { schedules, seconds, signal: options.signal },
    { tried: () => teller.tell(minimizing) },
  );
  const certificate = await minimizing.run(passes);
  return {
    trace: madeFrom(initial, await written(origin, minimizing.best), minimizing.trials.schedules, certificate),
    stages: minimizing.stages,
    schedules: minimizing.trials.schedules,
    seconds: minimizing.seconds,
    certificate,
    others: await Promise.all([...minimizing.others.values()].map((other) => written(origin, other))),
  };
}

function violationIn({ verdict }: Trace): Violated {
  if (verdict.verdict !== 'violated') throw new NothingToMinimize(verdict.verdict);
  const { oracle, message, processes, fingerprint } = verdict;
  return { kind: 'violated', oracle, message, processes, fingerprint };
}

/** What is known of an execution that was made smaller. */
type Initial = NonNullable<Header['minimized']>;

/** What was found in the first place: one that has been minimised before remembers it. */
function initialOf({ header: { minimized }, events, verdict }: Trace, passes: readonly string[]): Initial {
  if (minimized === undefined) {
    const externals = externalsIn(events.map(eventOf));
    return { from: verdict.name, events: events.length, externals, schedules: 0, passes: [...passes] };
  }
  const { certificate: _outdated, ...before } = minimized;
  return { ...before, passes: [...passes] };
}

function madeFrom(initial: Initial, trace: Trace, schedules: number, certificate?: Certificate): Trace {
  const minimized = { ...initial, schedules: initial.schedules + schedules };
  const certified = certificate === undefined ? minimized : { ...minimized, certificate };
  return { ...trace, header: { ...trace.header, minimized: certified } };
}

/** Tells whoever wants to know, not more often than they can read. */
class Teller {
  private toldMs = 0;
  private handNextMs = performance.now() + HAND_AFTER_MS;

  constructor(
    private readonly origin: Origin,
    private readonly initial: Initial,
    /** How many events whoever wants the best so far has already. */
    private handed: number,
    private readonly options: MinimizeOptions,
  ) {}

  async tell(minimizing: Minimizing): Promise<void> {
    if (performance.now() - this.toldMs < TELL_MS) return;
    this.options.onProgress?.(this.progressOf(minimizing));
    await this.hand(minimizing);
    // Signals are heard when the event loop has a turn.
    await setImmediate();
    this.toldMs = performance.now();
  }

  private progressOf({ pass, best: { events }, trials, seconds }: Minimizing): MinimizeProgress {
    const { schedules: schedulesMax = Number.POSITIVE_INFINITY, seconds: secondsMax = Number.POSITIVE_INFINITY } =
      this.options;
    const left = { events: events.length, externals: externalsIn(events), initialEvents: this.initial.events };
    return { pass, ...left, schedules: trials.schedules, seconds, schedulesMax, secondsMax };
  }

  /** Also where it was found a while ago: what follows may find nothing for long. */
  private async hand({ best, trials: { schedules } }: Minimizing): Promise<void> {
    const { onBest } = this.options;
    const beganMs = performance.now();
    if (onBest === undefined || best.events.length === this.handed || beganMs < this.handNextMs) return;
    onBest(madeFrom(this.initial, await written(this.origin, best), schedules));
    this.handed = best.events.length;
    this.handNextMs = performance.now() + (performance.now() - beganMs) * HAND_SHARE;
  }
}

/** Executed twice more: to write it down, and to see that it always comes out the same. */
async function written(origin: Origin, { events }: Failing): Promise<Trace> {
  return reproduce(origin, await record(origin, events));
}

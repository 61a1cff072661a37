import { HANDLER_MS } from './kernel/loop.ts';
import { CulpritError } from './error.ts';
import type { Failing } from './minimize/pass.ts';
import { defaultPasses, passCalled } from './minimize/passes.ts';
import { externalsIn, Minimizing } from './minimizing.ts';
import { checkAmount, checkCount } from './options.ts';
import { record, type Origin } from './record.ts';
import { originOf, replay, reproduce } from './replay.ts';
import type { System } from './targets/actors/system.ts';
import type { Trace } from './trace/format.ts';
import { eventOf } from './trace/lines.ts';
import type { Violated } from './trace/verdict.ts';

export interface MinimizeOptions {
  /** Names of passes, such as `provenance` and `externals:type`; they take turns until none of them finds anything. */
  readonly passes?: readonly string[];
  /** How many schedules may be executed. */
  readonly schedules?: number;
  /** How many seconds it may take. */
  readonly seconds?: number;
  /** How many worlds may be looked at to see whether there is a shorter one; 0 for none. See `Certificate`. */
  readonly worlds?: number;
  readonly handlerMs?: number;
  /** Ends it early, with what there is by then. */
  readonly signal?: AbortSignal;
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

/**
 * `1-minimal`: every single event was left out once, and nothing failed. `shortest`: besides, no execution with fewer events
 * ends with the bug, whatever its internal events are, as long as it has no externals but these, in any order; all of them
 * were looked at, world by world.
 */
export type Certificate = '1-minimal' | 'shortest';

export interface Minimized {
  /** The simplest execution found; it ends with the same violation, and was executed again to see that it does. */
  readonly trace: Trace;
  readonly stages: readonly Stage[];
  readonly schedules: number;
  /** How many worlds were looked at to see whether there is a shorter one. They are no schedules: most share all but one event. */
  readonly worlds: number;
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

/** A second or two, for most systems. A number and no time, so that the outcome is the same everywhere. */
const WORLDS = 20_000;

/** Makes a failing execution as simple as it can. */
export async function minimize(system: System, trace: Trace, options: MinimizeOptions = {}): Promise<Minimized> {
  const {
    passes = defaultPasses,
    worlds = WORLDS,
    schedules = Number.POSITIVE_INFINITY,
    seconds = Number.POSITIVE_INFINITY,
  } = options;
  if (schedules !== Number.POSITIVE_INFINITY) checkCount('schedules', schedules, 1);
  checkAmount('seconds', seconds);
  checkCount('worlds', worlds, 0);
  for (const name of passes) passCalled(name);
  const violation = violationIn(trace);
  const handler = { handlerMs: options.handlerMs ?? HANDLER_MS };
  await replay(system, trace, handler);
  const origin = originOf(system, trace, handler);
  const teller = new Teller(origin, trace, options);
  const minimizing: Minimizing = new Minimizing(
    origin,
    trace.events.map(eventOf),
    violation,
    { schedules, seconds, worlds, signal: options.signal },
    {
      tried: () => teller.tell(minimizing),
      improved: (best) => teller.hand(best),
    },
  );
  const certificate = await minimizing.run(passes);
  return {
    trace: await written(origin, minimizing.best),
    stages: minimizing.stages,
    schedules: minimizing.trials.schedules,
    worlds: minimizing.proving.worlds,
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

/** Tells whoever wants to know, not more often than they can read. */
class Teller {
  private toldMs = 0;
  private handedMs = 0;

  constructor(
    private readonly origin: Origin,
    private readonly initial: Trace,
    private readonly options: MinimizeOptions,
  ) {}

  tell({ pass, best, trials, seconds }: Minimizing): void {
    const {
      onProgress,
      schedules: schedulesMax = Number.POSITIVE_INFINITY,
      seconds: secondsMax = Number.POSITIVE_INFINITY,
    } = this.options;
    if (onProgress === undefined || performance.now() - this.toldMs < TELL_MS) return;
    this.toldMs = performance.now();
    const { events } = best;
    const left = { events: events.length, externals: externalsIn(events), initialEvents: this.initial.events.length };
    onProgress({ pass, ...left, schedules: trials.schedules, seconds, schedulesMax, secondsMax });
  }

  async hand(best: Failing): Promise<void> {
    const { onBest } = this.options;
    if (onBest === undefined || performance.now() - this.handedMs < TELL_MS) return;
    onBest(await written(this.origin, best));
    this.handedMs = performance.now();
  }
}

/** Executed twice more: to write it down, and to see that it always comes out the same. */
async function written(origin: Origin, { events }: Failing): Promise<Trace> {
  return reproduce(origin, await record(origin, events));
}

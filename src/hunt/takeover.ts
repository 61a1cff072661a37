import type { Origin } from '../execution/record.ts';
import type { HandOver, PausedExecution } from '../kernel/loop.ts';
import type { EventLine } from '../trace/format.ts';
import type { Verdict } from '../trace/verdict.ts';
import type { Stopwatch } from './stopwatch.ts';

/** An execution of a hunt that is stopped between two events. */
export interface StoppedExecution extends PausedExecution {
  readonly origin: Origin;
  /** Its events so far. */
  readonly lines: readonly EventLine[];
}

/** Lets a user perform events of an execution that a hunt has begun. */
export interface Takeover {
  /** Whether the user wants to. */
  isAsked(): boolean;
  /** Resolves when the hunt continues, with the verdict on the last event. */
  begin(stopped: StoppedExecution): Promise<Verdict>;
}

/** How a hunt makes the execution that it hands over. */
interface HuntedExecution {
  readonly origin: Origin;
  /** The number of processes that the workload starts first. */
  readonly startsFirst: number;
  readonly lines: () => Promise<readonly EventLine[]>;
}

/** The takeovers of one hunt: their time counts for none of its limits. */
export class Takeovers {
  constructor(
    private readonly takeover: Takeover,
    private readonly stopwatch: Stopwatch,
  ) {}

  /** To be asked between two events. */
  handOver(paused: PausedExecution, { origin, startsFirst, lines }: HuntedExecution): ReturnType<HandOver> {
    // A process that the user started could not be started by the workload.
    const isStarted = paused.session.world.length >= startsFirst;
    if (!isStarted || !this.takeover.isAsked()) return undefined;
    return this.stopwatch.whileStopped(
      async () => await this.takeover.begin({ ...paused, origin, lines: await lines() }),
    );
  }
}

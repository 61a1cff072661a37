import type { WaitingSettings } from '../kernel/declaration.ts';
import type { Strategy } from '../kernel/ports.ts';
import { Epsilon } from '../schedule/replay/epsilon.ts';
import { LenientReplay, unknownTargets } from '../schedule/replay/lenient-replay.ts';
import { Matcher } from '../schedule/replay/match.ts';
import { TooLate, type WaitingOptions } from '../schedule/replay/waiting.ts';
import { WaitingReport } from '../schedule/replay/waiting-report.ts';
import type { ResolvedSystem } from '../system/resolve.ts';
import type { Event } from '../trace/event.ts';
import type { Trace } from '../trace/format.ts';
import { KnownAbsences } from './known-absences.ts';
import { writeDown, type Origin } from './record.ts';

/** The result of a replay, and what is to be said of its waiting. */
export interface Waited<T> {
  readonly result: T;
  readonly report: WaitingReport;
}

/** How replays have waited so far. */
export interface WaitingCounts {
  readonly replays: number;
  /** How often a replay started over because an external came too late. */
  readonly restarts: number;
  /** The number of replays in which an external came too late all the same. */
  readonly early: number;
  /** How much longer than in the recording the next replay awaits an event. */
  readonly epsilonMs: number;
}

/**
 * The replays of one command, where events appear by themselves. They learn from one another how late events come, and which
 * events of a schedule do not appear.
 */
export class WaitingReplays {
  private readonly epsilon: Epsilon;
  private readonly absences = new KnownAbsences();
  private replays = 0;
  private restarts = 0;
  private early = 0;

  constructor(
    private readonly system: ResolvedSystem,
    private readonly settings: WaitingSettings,
  ) {
    this.epsilon = new Epsilon(settings);
  }

  /** Undefined where nothing happens by itself. */
  static in(system: ResolvedSystem): WaitingReplays | undefined {
    return system.waiting && new WaitingReplays(system, system.waiting);
  }

  get counts(): WaitingCounts {
    const { replays, restarts, early, epsilon } = this;
    return { replays, restarts, early, epsilonMs: Math.round(epsilon.ms) };
  }

  /** Replays a part of a recording: again when an external came too late, with what did not appear so far. */
  async replay<T>(
    schedule: readonly Event[],
    recording: readonly Event[],
    execute: (waiting: WaitingOptions) => Promise<T>,
  ): Promise<Waited<T>> {
    let report = new WaitingReport();
    const onBegin = (begun: WaitingReport): void => void (report = begun);
    let waiting: WaitingOptions = { ...this.optionsFor(schedule, recording), onBegin };
    this.replays += 1;
    for (;;) {
      try {
        const result = await execute(waiting);
        if (report.isEarly) this.early += 1;
        this.epsilon.learn(report.lateness);
        this.absences.learn(schedule, report);
        return { result, report };
      } catch (error) {
        if (!(error instanceof TooLate)) throw error;
        this.restarts += 1;
        waiting = { ...waiting, absent: error.absent, restarts: waiting.restarts - 1 };
      }
    }
  }

  private optionsFor(schedule: readonly Event[], recording: readonly Event[]): WaitingOptions {
    const { declaration, pace } = this.system;
    const { unexpected, restarts } = this.settings;
    return {
      epsilonMs: this.epsilon.ms,
      unexpected,
      restarts,
      end: { quietMs: pace?.quietMs ?? 0 },
      recording,
      isControlled: (process) => declaration.processes.get(process)?.host?.controlled !== false,
      absent: this.absences.of(schedule),
    };
  }
}

/** Replays events with waiting, and records what happens. */
export const recordWaiting = (
  replays: WaitingReplays,
  origin: Origin,
  events: readonly Event[],
): Promise<Waited<Trace>> =>
  replays.replay(events, events, (waiting) => {
    const matcher = new Matcher(origin.system.hints.contentOf);
    const targets = unknownTargets(events);
    const options = { matcher, likeness: 'content', absent: 'unblock', choices: undefined, targets, waiting } as const;
    const strategy = (): Strategy => new LenientReplay(events, options);
    return writeDown(origin, strategy, Number.POSITIVE_INFINITY);
  });

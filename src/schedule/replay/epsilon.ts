import type { WaitingSettings } from '../../kernel/declaration.ts';

/** Added to what was seen. With less, the number of events that are given up rises sharply (STS, 6.0.18). */
const MARGIN_MS = 25;

/** The share of events that must be in time. */
const SHARE = 0.99;

/** Only so many of the latest events count: a machine that was busy once does not slow down all later replays. */
const REMEMBERED = 1_000;

/**
 * How much longer than in the recording an event is awaited (ε of the 2013 paper). It follows what replays see: 99 % of the
 * events must be in time. An event that comes after it was given up counts, too, so that ε grows again.
 */
export class Epsilon {
  private isFirst = true;
  private lateness: number[] = [];

  constructor(private readonly settings: Pick<WaitingSettings, 'firstEpsilonMs' | 'epsilonMs'>) {}

  /** For the next replay. */
  get ms(): number {
    if (this.isFirst) return this.settings.firstEpsilonMs;
    const { latenessMs } = this;
    return latenessMs === undefined ? this.settings.epsilonMs : latenessMs + MARGIN_MS;
  }

  /** 99 % of the events came at most so late; undefined if none has been awaited yet. */
  private get latenessMs(): number | undefined {
    const sorted = [...this.lateness].sort((one, other) => one - other);
    return sorted[Math.ceil(SHARE * sorted.length) - 1];
  }

  /** A replay is over, in which events came so late, in milliseconds. */
  learn(lateness: readonly number[]): void {
    this.isFirst = false;
    this.lateness = [...this.lateness, ...lateness].slice(-REMEMBERED);
  }
}

import type { RecordedMoment } from '../ports.ts';
import type { SessionClock } from './session-clock.ts';

/** How much the time moves with each read while a process reacts to an event. */
const READ_MS = 0.001;

/** After so many reads in one reaction a process waits for the time to pass: then it passes as it does between events. */
const READS_MAX = 1_000;

/**
 * The time that processes get which do things by themselves and ask for it. While a process reacts to an event, that is the time of the
 * event, and a little more with every read: so a replay, in which the event has its recorded time, repeats what the recording gave.
 * Between events it passes as on the clock of the session; in a replay it stays before the time of the recorded event that follows, however often
 * it is asked for. It never runs backward.
 */
export class ProcessTimes {
  /** The process that reacts to an event, the time of the event, and how often the process has asked since. */
  private reaction: { readonly process: string; readonly atMs: number; reads: number } | undefined;
  /** In a replay: the moment of the next event, until it happens. */
  private following: RecordedMoment | undefined;
  /** In a replay: the moment of the last event that the recording has, and when that event happened here. */
  private last: (RecordedMoment & { readonly sinceMs: number }) | undefined;
  private given = new Map<string, number>();

  constructor(private readonly clock: SessionClock) {}

  /** The same between two events, on a copy of the clock. */
  copyOn(clock: SessionClock): ProcessTimes {
    const copy = new ProcessTimes(clock);
    copy.last = this.last;
    copy.given = new Map(this.given);
    return copy;
  }

  /** The next event has this time of a recording, if it is known. */
  follow(moment: RecordedMoment | undefined): void {
    this.following = moment;
  }

  /** An event of the process begins, at this time of the session. */
  begins(process: string, nowMs: number): void {
    if (this.following !== undefined) this.last = { ...this.following, sinceMs: nowMs };
    this.reaction = { process, atMs: this.betweenEvents(nowMs), reads: 0 };
    this.following = undefined;
  }

  /** The reaction to it is over. */
  ends(): void {
    this.reaction = undefined;
  }

  /** The process asks for the time. */
  read(process: string): number {
    const now = Math.max(this.now(process), this.given.get(process) ?? 0);
    this.given.set(process, now);
    return now;
  }

  private now(process: string): number {
    const { reaction } = this;
    if (reaction?.process !== process || reaction.reads >= READS_MAX) return this.betweenEvents(this.clock.nowMs);
    reaction.reads += 1;
    return reaction.atMs + reaction.reads * READ_MS;
  }

  private betweenEvents(nowMs: number): number {
    const { last } = this;
    if (last === undefined) return nowMs;
    return Math.min(last.atMs + nowMs - last.sinceMs, Math.max(last.atMs, last.beforeMs - READ_MS));
  }
}

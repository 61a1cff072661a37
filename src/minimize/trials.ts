import type { Event } from '../trace/event.ts';
import type { Answer, CandidateSchedule, Failing } from './pass.ts';

/** Executes the candidates of a minimization. */
export interface Trials {
  /** The number of schedules whose outcome counted, and of their events. */
  readonly schedules: number;
  readonly events: number;
  /** The number of schedules that were executed, or begun, and whose outcome was not needed. */
  readonly wasted: number;
  /** Sets the execution with which the next candidates are likely to begin. */
  rebase(failing: Failing): void;
  /** Says whether a candidate fails. */
  test(candidate: CandidateSchedule): Promise<Answer>;
  /** Lets a caller execute exactly these events again and again. */
  repeatedly<T>(events: readonly Event[], use: (next: () => Promise<Answer>) => Promise<T>): Promise<T>;
  /** Forgets all answers, because the violation has changed. */
  clear(): void;
}

import { TimeSlice, type Steps } from '../kernel/loop.ts';
import { Pause } from '../kernel/ports.ts';
import type { EventLine } from '../trace/format.ts';
import type { Move, Track, Typed } from './track.ts';

/**
 * Why a run ended: it made enough steps, reached its goal, met a verdict, had no event left, reached the limit on
 * events, or was interrupted by Ctrl-C.
 */
export type Stop = 'enough' | 'there' | 'verdict' | 'nothing' | 'bound' | 'interrupted';

export interface Run {
  /** The next event, or a pause in which one may appear; undefined if there is none. */
  readonly next: () => Move | Pause | undefined;
  readonly typed: Typed;
  readonly stepsMax: number;
  readonly eventsMax: number;
  /** Whether the goal is reached: called after each step, with its events. */
  readonly isReached?: (lines: readonly EventLine[]) => boolean;
  readonly signal: AbortSignal | undefined;
}

/** Performs one event after the other. */
export function* running(track: Track, run: Run): Steps<Stop> {
  const slice = new TimeSlice();
  for (let count = 0; count < run.stepsMax;) {
    if (run.signal?.aborted === true) return 'interrupted';
    if (track.session.world.length >= run.eventsMax) return 'bound';
    const move = run.next();
    if (move === undefined) return 'nothing';
    if (move instanceof Pause) yield* track.pause(move.until);
    else yield* track.take(move, run.typed);
    if (track.isOver) return 'verdict';
    if (move instanceof Pause) continue;
    count += 1;
    if (run.isReached?.(track.steps.at(-1)?.lines ?? []) === true) return 'there';
    if (slice.isOverAfterEvent()) yield undefined;
  }
  return 'enough';
}

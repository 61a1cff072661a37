import { breather, type Steps } from '../kernel/loop.ts';
import type { EventLine } from '../trace/format.ts';
import type { Move, Track, Typed } from './track.ts';

/** Why a run ended: enough steps, what it was to run to, a verdict, nothing left, the bound on events, or Ctrl-C. */
export type Stop = 'enough' | 'there' | 'verdict' | 'nothing' | 'bound' | 'interrupted';

export interface Run {
  /** What happens next; undefined where nothing does. */
  readonly next: () => Move | undefined;
  readonly typed: Typed;
  readonly stepsMax: number;
  readonly eventsMax: number;
  /** Whether it is where it was to get: asked after each step, with what that did. */
  readonly isThere?: (lines: readonly EventLine[]) => boolean;
  readonly signal: AbortSignal | undefined;
}

/** How many steps pass between looks at the clock. */
const STEPS_PER_LOOK = 64;

/** Lets one thing happen after the other. */
export function* running(track: Track, run: Run): Steps<Stop> {
  const rest = breather();
  for (let count = 0; count < run.stepsMax; count++) {
    if (run.signal?.aborted === true) return 'interrupted';
    if (track.session.world.length >= run.eventsMax) return 'bound';
    const move = run.next();
    if (move === undefined) return 'nothing';
    yield* track.take(move, run.typed);
    if (track.isOver) return 'verdict';
    if (run.isThere?.(track.steps.at(-1)?.lines ?? []) === true) return 'there';
    if (count % STEPS_PER_LOOK === 0) yield* rest();
  }
  return 'enough';
}

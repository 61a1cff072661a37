import { Pause } from '../kernel/ports.ts';
import { isInternal } from '../trace/event.ts';
import type { Move, Track } from './track.ts';

/**
 * Where processes act by themselves, the environment does one thing in each round, and nothing is over before the system has been
 * quiet for long enough. Elsewhere the moves come as they are.
 */
export function paced(track: Track, next: (isHeldBack: boolean) => Move | undefined): () => Move | Pause | undefined {
  const { pace } = track.origin.system;
  if (pace === undefined) return () => next(false);
  let roundEndsMs = 0;
  let lastMs = track.session.nowMs;
  let seen = 0;
  return () => {
    const { nowMs, recording } = track.session;
    const now = recording.events.length + recording.notes.length;
    if (now !== seen) lastMs = nowMs;
    seen = now;
    const move = next(nowMs < roundEndsMs);
    if (move !== undefined && !isInternal(move.event)) roundEndsMs = nowMs + pace.roundMs;
    if (move !== undefined) return move;
    const untilMs = nowMs < roundEndsMs ? roundEndsMs : lastMs + pace.quietMs;
    return untilMs > nowMs ? new Pause({ ms: untilMs - nowMs }) : undefined;
  };
}

import { unknownTargets } from '../schedule/replay/lenient-replay.ts';
import { digestText, hex, mixHi, mixLo } from '../trace/digest.ts';
import type { Event } from '../trace/event.ts';
import type { CandidateSchedule } from './pass.ts';

/** A candidate of exactly these events. */
export const exactCandidate = (events: readonly Event[]): CandidateSchedule => ({
  events,
  likeness: 'content',
  absent: 'stop',
  targets: unknownTargets(events),
});

/** A digest of a candidate's events and of how they are matched. */
export function keyOf(candidate: CandidateSchedule): string {
  const { events, likeness, absent, mayDiverge = true, choices, unexpected = '' } = candidate;
  let { hi, lo } = digestText(`${likeness} ${absent ?? ''} ${mayDiverge} ${choices?.join(' ') ?? 'none'}${unexpected}`);
  const mix = (digest: { readonly hi: number; readonly lo: number }): void => {
    hi = mixHi(mixHi(hi, digest.hi), digest.lo);
    lo = mixLo(mixLo(lo, digest.lo), digest.hi);
  };
  events.forEach(mix);
  return hex({ hi, lo });
}

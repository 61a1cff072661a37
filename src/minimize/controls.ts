import { faultsIn } from '../system/without-faults.ts';
import { candidateWithout, type CandidateSchedule, type Failing } from './pass.ts';
import { isOwn } from './passes/groups.ts';
import type { ControlCount } from './report.ts';

/** An execution without some of its externals, to see whether the violation needs them. */
export interface ControlCandidate extends Pick<ControlCount, 'without'> {
  readonly candidate: CandidateSchedule;
}

/** The execution without any input but the starts of its processes, and without its faults; only where it has such externals. */
export function controlsOf(failing: Failing): readonly ControlCandidate[] {
  const { events, rules } = failing;
  const places = events.flatMap((event, at) => (isOwn(event, events) && !rules.keeps(event) ? [at] : []));
  const isWait = (at: number): boolean => events[at]?.kind === 'wait';
  const withoutStarts = places.filter((at) => events[at]?.kind !== 'start');
  const inputs = withoutStarts.filter((at) => !isWait(at));
  const isFault = faultsIn(events, rules);
  const faults = inputs.filter((at) => isFault.has(at));
  // Without faults alone is no news if there are no other inputs.
  const drops = [
    // Nothing is left to wait for.
    { without: 'input' as const, dropped: inputs.length === 0 ? [] : withoutStarts },
    { without: 'fault' as const, dropped: faults.length < inputs.length ? faults : [] },
  ].filter(({ dropped }) => dropped.length > 0);
  const all = drops.map(({ without, dropped }) => ({
    without,
    candidate: { ...candidateWithout(failing, new Set(dropped), 'content'), unexpected: 'pass' as const },
  }));
  return all.map((one, at) => {
    const candidates = all.slice(at + 1).map(({ candidate }) => candidate);
    return { ...one, candidate: { ...one.candidate, upcoming: { candidates, areCertain: false } } };
  });
}

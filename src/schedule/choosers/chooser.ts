import type { External, Internal } from '../../trace/event.ts';

/** A choice: an enabled event, or the next external. */
export type Candidate = Internal | External;

/** Picks one of at least one candidates. Every execution has its own chooser. */
export interface Chooser {
  /** `at` is the index of the chosen event in the execution. */
  choose(candidates: readonly Candidate[], at: number): Candidate;
}

/** Lets a chooser decide between the enabled events and the next external; undefined if neither exists. */
export function chooseNext(
  chooser: Chooser,
  enabled: readonly Internal[],
  external: Candidate | undefined,
  at: number,
): Candidate | undefined {
  const candidates = external === undefined ? enabled : [...enabled, external];
  return candidates.length === 0 ? undefined : chooser.choose(candidates, at);
}

/** The process that a candidate belongs to, or the environment. */
export const turnOf = (candidate: Candidate): string => ('hi' in candidate ? candidate.process : ENVIRONMENT_TURN);

/** A name that no process has. */
const ENVIRONMENT_TURN = ' environment';

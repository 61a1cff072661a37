import type { External, Internal } from '../../trace/event.ts';

/** What can be chosen: something enabled, or the next thing the environment would do. */
export type Candidate = Internal | External;

/** Picks one of the candidates, of which there is at least one. Made for each execution. */
export interface Chooser {
  /** `at` is the index that the chosen event will have in the execution. */
  choose(candidates: readonly Candidate[], at: number): Candidate;
}

/** Whose turn a candidate is: a process's, or the environment's. */
export const turnOf = (candidate: Candidate): string => ('hi' in candidate ? candidate.process : ENVIRONMENT_TURN);

/** A name that no process has. */
const ENVIRONMENT_TURN = ' environment';

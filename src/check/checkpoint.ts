import { CulpritError } from '../error.ts';
import type { RefutedRule } from './report.ts';
import type { SavedOracleReads } from './dependence/oracle-reads.ts';
import type { SavedSubtrees } from './parallel/subtrees.ts';
import { StaleCheckpoint } from './search/saved.ts';
import type { SavedTally } from './plan-tally.ts';
import type { SavedExploration } from './searches.ts';

/** How far a check has come, as JSON. What it is about: see `SavedCheck.about`. */
export interface SavedCheck {
  /** What must be the same for it to be gone on with. */
  readonly about: Readonly<Record<string, unknown>>;
  /** Whose turn it is. */
  readonly turn: { readonly plan: number; readonly until: number; readonly quota: number };
  readonly plans: readonly SavedPlan[];
  /** How many executions of each piece come next, where it is explored in pieces. */
  readonly quota?: number;
  /** The first execution, as text. */
  readonly probe?: string;
  readonly observed: SavedOracleReads;
  readonly whyUnknown?: string;
  /** Violations that are known, and traces of those that were kept, as text. */
  readonly fingerprints: readonly string[];
  /** Names of executions that led to a violated world. */
  readonly violated?: readonly string[];
  readonly findings: readonly { readonly trace: string; readonly executions: number }[];
  readonly claims: number;
  readonly audited: number;
  readonly refuted: readonly RefutedRule[];
  readonly elapsedMs: number;
}

/** How far one plan of faults has come, and what is left of it. */
export interface SavedPlan extends SavedTally {
  /** What heuristics have seen, policy by policy. */
  readonly seen: readonly (readonly string[])[];
  /** Nothing where it has not begun, has to start over, or is done. */
  readonly exploration?: (SavedExploration | SavedSubtrees) & JudgedPlan;
}

/** For the judge of the next execution, which may share its beginning with the last one. */
interface JudgedPlan {
  /** After how many events the last one was violated, if it was. */
  readonly violatedAt?: number;
}

/** What was saved cannot be gone on with. */
export class BadCheckpoint extends CulpritError {
  readonly code = 'BAD_CHECKPOINT';
}

/** Refuses to go on with what another check has left. */
export function mustBeAbout(now: SavedCheck['about'], saved: SavedCheck['about']): void {
  const difference = aboutDifference(now, saved);
  if (difference === undefined) return;
  const { what, was, is } = difference;
  throw new BadCheckpoint(
    `the checkpoint was made with ${what} ${was}, not ${is}.`,
    'Resume with the same settings, or start over (--fresh).',
  );
}

/** The first thing that a saved check was about and this one is not. */
export function aboutDifference(
  now: SavedCheck['about'],
  saved: SavedCheck['about'],
): { readonly what: string; readonly was: string; readonly is: string } | undefined {
  for (const what of new Set([...Object.keys(now), ...Object.keys(saved)])) {
    const [is = '', was = ''] = [now[what], saved[what]].map((value) => JSON.stringify(value) ?? 'nothing');
    if (is !== was) return { what, was, is };
  }
  return undefined;
}

/** Says what it means where the steps of a check that was left cannot be taken again. */
export function mustFit(error: unknown): never {
  if (!(error instanceof StaleCheckpoint)) throw error;
  throw new BadCheckpoint(
    'the same events no longer have the same effects: the system has changed.',
    'Start over (--fresh).',
  );
}

/** Says what it means where something is missing in what was saved, or is something else than a check saves. */
export function mustBeWhole(error: unknown): never {
  if (!(error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError)) throw error;
  throw new BadCheckpoint(`the checkpoint is damaged (${error.message}).`, 'Start over (--fresh).', {
    cause: error,
  });
}

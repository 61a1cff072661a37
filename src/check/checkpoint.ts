import { CulpritError } from '../error.ts';
import { digestText, hex } from '../trace/digest.ts';
import type { RefutedRule } from './report.ts';
import type { SavedOracleReads } from './dependence/oracle-reads.ts';
import type { SavedSubtrees } from './parallel/subtrees.ts';
import { StaleCheckpoint } from './search/saved.ts';
import type { SavedTally } from './plan-tally.ts';
import type { SavedExploration } from './searches.ts';

/** The progress of a check, as JSON. */
export interface SavedCheck {
  /** The identity of the check, which must be equal on resuming. */
  readonly about: Readonly<Record<string, unknown>>;
  /** The plan whose turn it is: see `Checker`. */
  readonly turn: { readonly plan: number; readonly until: number; readonly quota: number };
  /** How far each fault plan has been explored. */
  readonly plans: readonly SavedPlan[];
  /** The number of executions of each piece in the next round, if workers share the check. */
  readonly quota?: number;
  /** The first execution, as text. */
  readonly probe?: string;
  /** The fields that oracles were seen to read, which limit the reduction. */
  readonly oracleReads: SavedOracleReads;
  /** Why the verdict can no longer be *holds*; missing as long as it can. */
  readonly whyUnknown?: string;
  /** Fingerprints of all violations, and below the traces of those that were kept, as text. */
  readonly fingerprints: readonly string[];
  /** Names of execution prefixes that violate an invariant. */
  readonly violated?: readonly string[];
  /** The kept traces as text, each with the number of executions up to it. */
  readonly findings: readonly { readonly trace: string; readonly executions: number }[];
  /** How often a rule of the system called two events independent. */
  readonly claims: number;
  /** How many of these claims were compared with both orders. */
  readonly audited: number;
  /** Rules for which the two orders differed. */
  readonly refuted: readonly RefutedRule[];
  /** The time that the check has taken, over all its runs. */
  readonly elapsedMs: number;
  /** Of all fields but the time: a check that resumes from something else could skip executions. */
  readonly digest: string;
}

/** The checkpoint with its digest. */
export const sealed = (check: Omit<SavedCheck, 'digest'>): SavedCheck => ({ ...check, digest: digestOf(check) });

/** Refuses a checkpoint that is not what a check saved. */
export function mustBeUnchanged({ digest, ...check }: SavedCheck): void {
  if (digestOf(check) !== digest || !(check.elapsedMs >= 0 && check.elapsedMs < Number.POSITIVE_INFINITY))
    throw new BadCheckpoint(
      'the checkpoint is damaged: its digest does not match its contents.',
      'Start over (--fresh).',
    );
}

const digestOf = ({ elapsedMs: _elapsed, ...check }: Omit<SavedCheck, 'digest'>): string =>
  hex(digestText(JSON.stringify(check)));

/** The progress of one fault plan, and the rest that is unexplored. */
export interface SavedPlan extends SavedTally {
  /** The abstractions that heuristics have seen, policy by policy. */
  readonly seen: readonly (readonly string[])[];
  /** Undefined if the plan has not begun, has to start over, or is done. */
  readonly exploration?: (SavedExploration | SavedSubtrees) & JudgedPlan;
}

/** State for judging the next execution, which may share a prefix with the last one. */
interface JudgedPlan {
  /** The number of events after which the last execution violated an oracle. */
  readonly violatedAt?: number;
}

/** A checkpoint that cannot be resumed. */
export class BadCheckpoint extends CulpritError {
  readonly code = 'BAD_CHECKPOINT';
}

/** Refuses a checkpoint of another check. */
export function mustBeAbout(now: SavedCheck['about'], saved: SavedCheck['about']): void {
  const difference = aboutDifference(now, saved);
  if (difference === undefined) return;
  const { what, was, is } = difference;
  throw new BadCheckpoint(
    `the checkpoint was made with ${what} ${was}, not ${is}.`,
    'Resume with the same settings, or start over (--fresh).',
  );
}

/** The first difference between the identities of two checks. */
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

/** Turns a stale checkpoint into an error for the user. */
export function mustFit(error: unknown): never {
  if (!(error instanceof StaleCheckpoint)) throw error;
  throw new BadCheckpoint(
    'the same events no longer have the same effects: the system has changed.',
    'Start over (--fresh).',
  );
}

/** Turns an error about missing or wrong fields of a checkpoint into an error for the user. */
export function mustBeWhole(error: unknown): never {
  if (!(error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError)) throw error;
  throw new BadCheckpoint(`the checkpoint is damaged (${error.message}).`, 'Start over (--fresh).', {
    cause: error,
  });
}

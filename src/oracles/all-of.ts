import { HOLDS, type Verdict } from '../trace/verdict.ts';
import type { Oracle } from '../kernel/ports.ts';
import { remembers } from './remembers.ts';

/** Holds if all hold. Otherwise the verdict of one that does not: violated, if there is one; unknown, rather than unfinished. */
export function allOf(...oracles: readonly Oracle[]): Oracle {
  const fairRounds = Math.max(0, ...oracles.map((oracle) => oracle.fairRounds ?? 0));
  return {
    judge(world, last) {
      let verdict: Verdict = HOLDS;
      for (const oracle of oracles) {
        verdict = worse(verdict, oracle.judge(world, last));
        if (verdict.kind === 'violated') return verdict;
      }
      return verdict;
    },
    end: (world, quiet) =>
      oracles.reduce<Verdict>(
        (verdict, oracle) =>
          verdict.kind === 'violated' ? verdict : worse(verdict, oracle.end?.(world, quiet) ?? HOLDS),
        HOLDS,
      ),
    undecidedUntilMs: () => latest(oracles.flatMap((oracle) => oracle.undecidedUntilMs?.() ?? [])),
    ...(oracles.some((oracle) => oracle.begin !== undefined)
      ? {
          begin: (session) => allOf(...oracles.map((oracle) => oracle.begin?.(session) ?? oracle)),
          isOfWorld: !oracles.some(remembers),
        }
      : {}),
    ...(fairRounds === 0 ? {} : { fairRounds }),
  };
}

const latest = (times: readonly number[]): number | undefined => (times.length === 0 ? undefined : Math.max(...times));

function worse(before: Verdict, found: Verdict): Verdict {
  if (found.kind === 'holds') return before;
  const isLess = found.kind === 'unknown' && found.isUnfinished === true && before.kind === 'unknown';
  return isLess ? before : found;
}

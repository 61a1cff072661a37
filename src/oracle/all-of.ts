import { HOLDS, type Verdict } from '../trace/verdict.ts';
import type { Oracle } from '../kernel/ports.ts';
import type { World } from '../kernel/world.ts';
import { InvariantThrew } from './invariants.ts';

/** Holds where all hold; otherwise the first that does not, and violated before unknown. */
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
    ...(oracles.some((oracle) => oracle.begin !== undefined)
      ? { begin: (session) => allOf(...oracles.map((oracle) => oracle.begin?.(session) ?? oracle)) }
      : {}),
    ...(fairRounds === 0 ? {} : { fairRounds }),
  };
}

const worse = (before: Verdict, found: Verdict): Verdict => (found.kind === 'holds' ? before : found);

/** The same oracle under the name that a system gives it. */
export function named(name: string, oracle: Oracle): Oracle {
  const ask = <T>(world: World, question: () => T): T => {
    try {
      return question();
    } catch (error) {
      throw new InvariantThrew(`the oracle ${name}`, world.length, error);
    }
  };
  return {
    judge: (world, last) =>
      renamed(
        name,
        ask(world, () => oracle.judge(world, last)),
      ),
    end: (world, quiet) =>
      renamed(
        name,
        ask(world, () => oracle.end?.(world, quiet) ?? HOLDS),
      ),
    ...(oracle.begin === undefined
      ? {}
      : { begin: (session) => named(name, ask(session.world, () => oracle.begin?.(session)) ?? oracle) }),
    ...(oracle.fairRounds === undefined ? {} : { fairRounds: oracle.fairRounds }),
  };
}

function renamed(name: string, verdict: Verdict): Verdict {
  switch (verdict.kind) {
    case 'holds':
      return verdict;
    case 'unknown':
      return { kind: 'unknown', why: `${name}: ${verdict.why}` };
    case 'violated':
      return { ...verdict, oracle: name, fingerprint: name + verdict.fingerprint.slice(verdict.oracle.length) };
  }
}

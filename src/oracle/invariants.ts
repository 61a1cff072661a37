import { CulpritError } from '../error.ts';
import { HOLDS, type Verdict, type Violated } from '../trace/verdict.ts';
import type { Invariant, Judgement } from '../kernel/invariant.ts';
import type { Oracle } from '../kernel/ports.ts';
import type { World } from '../kernel/world.ts';

/** An invariant that cannot be asked: it threw. */
export class InvariantThrew extends CulpritError {
  readonly code = 'INVARIANT_THREW';

  constructor(name: string, event: number, cause: unknown) {
    super(
      `the invariant ${name} threw after event ${event}: ${cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)}`,
      'An invariant returns what it finds. A process that is down has no state: ask world.up(…), or use `?.`.',
      { cause },
    );
  }
}

/** Violated as soon as one of the named invariants is. */
export function invariantOracle(invariants: ReadonlyMap<string, Invariant<World>>): Oracle {
  const all = [...invariants];
  return {
    judge(world) {
      for (const [name, invariant] of all) {
        const judgement = ask(name, invariant, world);
        if (judgement !== undefined && judgement !== true) return violated(name, judgement);
      }
      return HOLDS;
    },
  };
}

function ask(name: string, invariant: Invariant<World>, world: World): Judgement {
  try {
    return invariant(world);
  } catch (error) {
    throw error instanceof CulpritError ? error : new InvariantThrew(name, world.length, error);
  }
}

function violated(oracle: string, judgement: Exclude<Judgement, true | undefined | void>): Violated {
  if (judgement === false)
    return { kind: 'violated', oracle, message: 'does not hold', processes: [], fingerprint: oracle };
  const { message, processes = [] } = typeof judgement === 'string' ? { message: judgement } : judgement;
  return { kind: 'violated', oracle, message, processes, fingerprint: [oracle, ...[...processes].sort()].join(' ') };
}

/** An exception that no handler caught is a violation, whatever else is asked. */
export const noUncaughtException: Oracle = {
  judge({ failure }): Verdict {
    if (failure === undefined) return HOLDS;
    const oracle = 'noUncaughtException';
    const { process, error } = failure;
    const thrown = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    const message = `${process} threw ${thrown}`;
    return { kind: 'violated', oracle, message, processes: [process], fingerprint: `${oracle} ${process} ${thrown}` };
  },
};

/** Holds where all hold; otherwise the first that does not, and violated before unknown. */
export const allOf = (...oracles: readonly Oracle[]): Oracle => ({
  judge(world, last) {
    let verdict: Verdict = HOLDS;
    for (const oracle of oracles) {
      const found = oracle.judge(world, last);
      if (found.kind === 'violated') return found;
      if (found.kind === 'unknown') verdict = found;
    }
    return verdict;
  },
});

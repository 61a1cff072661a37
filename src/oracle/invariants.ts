import { types } from 'node:util';
import { CulpritError, nextAfter, problemOf } from '../error.ts';
import { HOLDS, type Verdict, type Violated } from '../trace/verdict.ts';
import type { Invariant, Judgement, Sampled, Witness } from '../kernel/invariant.ts';
import type { Oracle } from '../kernel/ports.ts';
import type { World } from '../kernel/world.ts';
import { judgementOf } from './judgement.ts';
import { masked } from './masked.ts';

/** An invariant, or another oracle, that cannot be asked: it threw. */
export class InvariantThrew extends CulpritError {
  readonly code = 'INVARIANT_THREW';

  constructor(what: string, event: number, cause: unknown) {
    super(
      `${what} threw after event ${event}: ${problemOf(cause)}`,
      nextAfter(
        cause,
        'An invariant returns what it finds. A process that is down has no state: ask world.up(…), or use `?.`.',
      ),
      { cause },
    );
  }
}

/** Violated as soon as one of the named invariants is. */
export function invariantOracle(invariants: ReadonlyMap<string, Invariant<World> | Sampled<World>>): Oracle {
  const always: Named[] = [];
  const sampled: (Named & { readonly every: number })[] = [];
  for (const [name, invariant] of invariants) {
    if (typeof invariant === 'function') always.push({ name, holds: invariant });
    else sampled.push({ name, ...invariant });
  }
  const judgeAlways = (world: World): Verdict => judgeAll(always, world);
  if (sampled.length === 0) return { judge: judgeAlways };
  const dueAt = (length: number) => sampled.filter(({ every }) => length % every === 0);
  return {
    judge(world) {
      const verdict = judgeAlways(world);
      return verdict.kind === 'holds' ? judgeAll(dueAt(world.length), world) : verdict;
    },
    end: (world) => judgeAll(sampled, world),
  };
}

interface Named {
  readonly name: string;
  readonly holds: Invariant<World>;
}

function judgeAll(invariants: readonly Named[], world: World): Verdict {
  for (const { name, holds } of invariants) {
    const judgement = ask(name, holds, world);
    if (judgement !== true) return violated(name, judgement);
  }
  return HOLDS;
}

function ask(name: string, invariant: Invariant<World>, world: World): Judgement {
  let answer: unknown;
  try {
    answer = invariant(world);
  } catch (error) {
    throw new InvariantThrew(`the invariant ${name}`, world.length, error);
  }
  return answer === true || judgementOf(name, world, answer);
}

function violated(oracle: string, judgement: Exclude<Judgement, true>): Violated {
  const witness: Witness =
    judgement === false
      ? { message: 'does not hold' }
      : typeof judgement === 'string'
        ? { message: judgement }
        : judgement;
  const { message, processes = [], values } = witness;
  const bug = witness.fingerprint ?? [...processes].sort().join(' ');
  const fingerprint = bug === '' ? oracle : `${oracle} ${bug}`;
  return { kind: 'violated', oracle, message, processes, ...(values === undefined ? {} : { values }), fingerprint };
}

/** An exception that no handler caught is a violation, whatever else is asked; the same bug whatever values it names. */
export const noUncaughtException: Oracle = {
  judge({ failure }): Verdict {
    if (failure === undefined) return HOLDS;
    const oracle = 'noUncaughtException';
    const { process, error } = failure;
    const name = isError(error) ? error.name : undefined;
    const says = String(isError(error) ? error.message : error);
    const thrown = (text: string): string => (name === undefined ? text : `${name}: ${text}`);
    return {
      kind: 'violated',
      oracle,
      message: `${process} threw ${thrown(says)}`,
      processes: [process],
      fingerprint: `${oracle} ${process} ${thrown(masked(says, name))}`,
    };
  },
};

/** Also one of Node's own, which is no `Error` of ours in a test file that Jest runs: the verdict must read the same. */
const isError = (error: unknown): error is Error => error instanceof Error || types.isNativeError(error);

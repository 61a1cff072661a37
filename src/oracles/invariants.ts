import { CulpritError, isOf, nextAfter, problemOf, readThrown, shortened } from '../error.ts';
import { HOLDS, type Verdict, type Violated } from '../trace/verdict.ts';
import { doneAsking, nowAsking } from '../kernel/user-code/asking.ts';
import type { Invariant, Judgment, Sampled, Witness } from '../system/invariant.ts';
import { UnaskedExit } from '../kernel/errors.ts';
import type { Oracle } from '../kernel/ports.ts';
import { UnboundMethod, withBoundMethods } from '../kernel/bound-world.ts';
import type { World } from '../kernel/world.ts';
import { judgmentOf } from './judgment.ts';
import { masked } from './masked.ts';

/** An invariant or another oracle threw, so it gives no verdict. */
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

/** Violated as soon as one of the named invariants is violated. */
export function invariantOracle(invariants: ReadonlyMap<string, Invariant<World> | Sampled<World>>): Oracle {
  const always: NamedInvariant[] = [];
  const sampled: (NamedInvariant & { readonly every: number })[] = [];
  for (const [name, invariant] of invariants) {
    const who = (): string => `the invariant ${name}`;
    if (typeof invariant === 'function') always.push({ name, who, holds: invariant });
    else sampled.push({ name, who, ...invariant });
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

interface NamedInvariant {
  readonly name: string;
  /** Its name in messages. */
  readonly who: () => string;
  holds: Invariant<World>;
  /** Whether it takes methods out of the world, and gets one from which they can be taken. */
  isBound?: boolean;
}

function judgeAll(invariants: readonly NamedInvariant[], world: World): Verdict {
  for (const invariant of invariants) {
    const judgment = ask(invariant, world);
    if (judgment !== true) return violated(invariant.name, judgment);
  }
  return HOLDS;
}

function ask(invariant: NamedInvariant, world: World): Judgment {
  const { who, holds } = invariant;
  let answer: unknown;
  nowAsking(who);
  try {
    answer = holds(world);
  } catch (error) {
    if (isOf(error, UnboundMethod) && invariant.isBound !== true) return askBound(invariant, world);
    throw new InvariantThrew(who(), world.length, error);
  } finally {
    doneAsking();
  }
  return answer === true || read(invariant, world, answer);
}

/** Asks once more, with a world whose methods can be taken out of it, and so from now on: see `askAbout`. */
function askBound(invariant: NamedInvariant, world: World): Judgment {
  const { holds } = invariant;
  invariant.holds = (later) => holds(withBoundMethods(later));
  invariant.isBound = true;
  return ask(invariant, world);
}

/** The answer of an invariant, which may be a Proxy or have getters that throw. */
function read({ name, who }: NamedInvariant, world: World, answer: unknown): Judgment {
  try {
    return judgmentOf(name, world, answer);
  } catch (error) {
    if (isOf(error, CulpritError)) throw error;
    throw new InvariantThrew(`reading what ${who()} returned`, world.length, error);
  }
}

function violated(oracle: string, judgment: Exclude<Judgment, true>): Violated {
  const witness: Witness =
    judgment === false ? { message: 'does not hold' } : typeof judgment === 'string' ? { message: judgment } : judgment;
  const { message, processes = [], values } = witness;
  const bug = witness.fingerprint ?? [...processes].sort().join(' ');
  const fingerprint = bug === '' ? oracle : `${oracle} ${bug}`;
  return {
    kind: 'violated',
    oracle,
    message: shortened(message),
    processes,
    ...(values === undefined ? {} : { values }),
    fingerprint,
  };
}

/** The name of the violation by an uncaught exception. */
export const NO_UNCAUGHT_EXCEPTION = 'noUncaughtException';

/**
 * An exception that no handler caught is a violation in every system. Exceptions that differ only in the values in
 * their messages are the same bug.
 */
export const noUncaughtException: Oracle = {
  judge({ failure }): Verdict {
    if (failure === undefined) return HOLDS;
    const oracle = NO_UNCAUGHT_EXCEPTION;
    const { process, error } = failure;
    if (isOf(error, UnaskedExit)) return exited(process, error);
    const { name, text: says } = readThrown(error);
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

/** How many of its last lines a verdict shows. */
const LINES_SHOWN = 8;

const lineName = (after: number): string => (after === 0 ? 'last line' : `last line but ${after}`);

/** A process that acts by itself has ended: how it ended tells bugs apart, and what it printed does not. */
const exited = (process: string, { summary, lastLines }: UnaskedExit): Verdict => ({
  kind: 'violated',
  oracle: NO_UNCAUGHT_EXCEPTION,
  message: summary,
  processes: [process],
  values: Object.fromEntries(
    lastLines.slice(-LINES_SHOWN).map((line, at, { length }) => [lineName(length - 1 - at), line]),
  ),
  fingerprint: `${NO_UNCAUGHT_EXCEPTION} ${summary}`,
});

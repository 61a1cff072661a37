import { CulpritError, isOf } from '../error.ts';
import { HOLDS, type Verdict } from '../trace/verdict.ts';
import { doneAsking, nowAsking } from '../kernel/user-code/asking.ts';
import { BadAnswer } from '../kernel/user-code/answer.ts';
import type { Oracle, Session } from '../kernel/ports.ts';
import type { World } from '../kernel/world.ts';
import { InvariantThrew } from './invariants.ts';
import { judgeOf, verdictOf } from './verdict.ts';

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
  const who = (): string => `the oracle ${name}`;
  const verdict = (world: World, by: 'judge' | 'end', question: () => unknown): Verdict => {
    const answer = ask(name, who, world, question);
    if (answer === HOLDS) return HOLDS;
    const read = (): Verdict => verdictOf(() => `${by} of the ${asked(name, world)}`, answer);
    return renamed(name, readIn(name, world, read));
  };
  return {
    judge: (world, last) => verdict(world, 'judge', () => oracle.judge(world, last)),
    end: (world, quiet) => (oracle.end === undefined ? HOLDS : verdict(world, 'end', () => oracle.end?.(world, quiet))),
    ...(oracle.begin === undefined ? {} : { begin: (session) => named(name, begun(name, who, oracle, session)) }),
    ...(oracle.fairRounds === undefined ? {} : { fairRounds: oracle.fairRounds }),
  };
}

const begun = (name: string, who: () => string, oracle: Oracle, session: Session): Oracle =>
  readIn(name, session.world, () =>
    judgeOf(
      `begin of the oracle ${name}`,
      ask(name, who, session.world, () => oracle.begin?.(session)),
    ),
  );

/** What an oracle returned, read: it may be a Proxy, which throws then. */
function readIn<T>(name: string, world: World, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (isOf(error, CulpritError)) throw error;
    throw new InvariantThrew(`reading what the oracle ${name} returned`, world.length, error);
  }
}

function ask(name: string, who: () => string, world: World, question: () => unknown): unknown {
  nowAsking(who);
  try {
    return question();
  } catch (error) {
    // A function that the oracle asks: its goal, or its model.
    if (isOf(error, BadAnswer))
      throw new BadAnswer(`the ${asked(name, world)} cannot judge: ${error.who}`, error.returned, error.next);
    throw new InvariantThrew(who(), world.length, error);
  } finally {
    doneAsking();
  }
}

/** Only where it is needed: a check takes note of what is looked at. */
const asked = (name: string, { length }: World): string => `oracle ${name}, asked after event ${length},`;

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

import type { Event } from '../../trace/event.ts';
import { HOLDS, type Verdict, type Violated } from '../../trace/verdict.ts';
import type { Oracle, Session } from '../../kernel/ports.ts';
import type { World } from '../../kernel/world.ts';
import { isAtOnce, Persistence, type Duration } from './persistence.ts';

/** Something wrong in a network. */
export interface Problem {
  /** Stable: neither ports nor times are part of it. */
  readonly fingerprint: string;
  /** Asked once a verdict needs it. */
  readonly shown: () => Shown;
}

interface Shown {
  readonly message: string;
  /** The processes that it is about. */
  readonly processes: readonly string[];
  readonly values?: Readonly<Record<string, unknown>>;
}

/** All that is wrong in a world. The session is for the history of an execution. */
export type FindProblems = (world: World, session: Session, last: Event | undefined) => readonly Problem[];

/** Looks for problems in one execution. */
export interface Lookout {
  readonly find: FindProblems;
  /** At the end: why it could not judge everything that it was asked to. */
  readonly doubt?: () => string | undefined;
}

/**
 * An oracle that is violated while there is a problem that has lasted long enough. Without a duration it depends on nothing but
 * the world, so the order of independent events makes no difference. `begin` gives the lookout for one execution.
 */
export function networkOracle(
  name: string,
  persist: Duration,
  begin: () => FindProblems | Lookout,
  isOfWorld = true,
): Oracle {
  return {
    judge: () => HOLDS,
    begin: (session) => {
      const begun = begin();
      return new NetworkOracle(name, session, persist, typeof begun === 'function' ? { find: begun } : begun);
    },
    ...(isAtOnce(persist) && isOfWorld ? { ignoresOrder: true } : {}),
  };
}

class NetworkOracle implements Oracle {
  private readonly persistence: Persistence;

  constructor(
    private readonly name: string,
    private readonly session: Session,
    private readonly persist: Duration,
    private readonly lookout: Lookout,
  ) {
    this.persistence = new Persistence(session, persist);
  }

  judge(world: World, last: Event | undefined): Verdict {
    const problem = this.persistence.firstToLast(this.lookout.find(world, this.session, last));
    return problem === undefined ? HOLDS : this.violated(problem);
  }

  /** In a world where nothing can happen any more, a problem stays. */
  end(world: World, quiet: boolean): Verdict {
    const doubt = this.lookout.doubt?.();
    if (doubt !== undefined) return { kind: 'unknown', why: doubt };
    if (isAtOnce(this.persist)) return HOLDS;
    const [problem] = this.lookout.find(world, this.session, undefined);
    if (problem === undefined) return HOLDS;
    if (quiet) return this.violated(problem);
    return { kind: 'unknown', why: `the execution ended before this lasted long enough: ${problem.shown().message}` };
  }

  private violated({ fingerprint, shown }: Problem): Violated {
    const { message, processes, values } = shown();
    return {
      kind: 'violated',
      oracle: this.name,
      message,
      processes,
      ...(values === undefined ? {} : { values }),
      fingerprint: `${this.name} ${fingerprint}`,
    };
  }
}

/** A doubt about stations that were at no port of a switch in the whole execution: their names may be wrong. */
export function unseenStation(unseen: ReadonlySet<string>): string | undefined {
  const [name] = unseen;
  return name === undefined ? undefined : `no station ${name} was ever at a port of a switch that is up`;
}

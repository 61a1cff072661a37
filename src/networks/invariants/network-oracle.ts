import type { Event } from '../../trace/event.ts';
import { HOLDS, type Verdict, type Violated } from '../../trace/verdict.ts';
import type { Oracle, Session } from '../../kernel/ports.ts';
import type { World } from '../../kernel/world.ts';
import { controllersAreIdle, isWork } from './controllers-idle.ts';
import { isAtOnce, Persistence, workTimersIn, type Duration, type Persist } from './persistence.ts';

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

/** All that is wrong in a world. */
export type FindProblems = (world: World, last: Event | undefined) => readonly Problem[];

/** Looks for problems in one execution. */
interface Lookout {
  readonly find: FindProblems;
  /** At the end: why it could not judge everything that it was asked to. */
  readonly doubt?: () => string | undefined;
}

/**
 * Gives the lookout for one execution, where it may use the events so far. Without an execution it has to judge worlds in any order, each
 * by itself.
 */
type BeginWorlds = (session: Session | undefined) => FindProblems | Lookout;
type BeginExecution = (session: Session) => FindProblems | Lookout;

/**
 * An oracle that is violated by a world with a problem; with a duration, once the problem has lasted long enough. Whether
 * controllers are idle is seen in a world, so only durations depend on the history.
 */
export function worldOracle(name: string, persist: Persist, begin: BeginWorlds): Oracle {
  const workTimers = workTimersIn(persist);
  if (!isAtOnce(persist) && workTimers === undefined) return historyOracle(name, persist, begin);
  const oracleFor = (session?: Session): Oracle =>
    workTimers === undefined
      ? new AtOnce(name, lookoutOf(begin(session)))
      : new OnceIdle(name, lookoutOf(begin(session)), workTimers, session);
  const anyWorld = oracleFor();
  return {
    judge: (world, last) => anyWorld.judge(world, last),
    // An oracle that judges ends makes a check explore more executions.
    ...(workTimers !== undefined || lookoutOf(begin(undefined)).doubt !== undefined
      ? { end: (world, quiet) => anyWorld.end?.(world, quiet) ?? HOLDS }
      : {}),
    begin: oracleFor,
    isOfWorld: true,
    ...(workTimers === undefined ? {} : { waitsFor: (event, world) => isWork(event, world, workTimers) }),
  };
}

/**
 * An oracle whose problems depend on the history of an execution. `isOfProcesses`: whether each depends on the history of one process
 * alone, so that the order of independent events makes no difference to one that is violated at once.
 */
export function historyOracle(name: string, persist: Persist, begin: BeginExecution, isOfProcesses = false): Oracle {
  const workTimers = workTimersIn(persist);
  return {
    judge: () => HOLDS,
    ...(isOfProcesses && isAtOnce(persist) ? { ignoresOrder: true } : {}),
    begin: (session) => {
      const lookout = lookoutOf(begin(session));
      if (workTimers !== undefined) return new OnceIdle(name, lookout, workTimers, session);
      return isAtOnce(persist) ? new AtOnce(name, lookout) : new Lasting(name, lookout, persist as Duration, session);
    },
  };
}

const lookoutOf = (begun: FindProblems | Lookout): Lookout => (typeof begun === 'function' ? { find: begun } : begun);

class AtOnce implements Oracle {
  constructor(
    protected readonly name: string,
    protected readonly lookout: Lookout,
  ) {}

  judge(world: World, last: Event | undefined): Verdict {
    const [problem] = this.lookout.find(world, last);
    return problem === undefined ? HOLDS : violated(this.name, problem);
  }

  end(_world: World, _quiet: boolean): Verdict {
    const doubt = this.lookout.doubt?.();
    return doubt === undefined ? HOLDS : { kind: 'unknown', why: doubt };
  }
}

class OnceIdle extends AtOnce {
  constructor(
    name: string,
    lookout: Lookout,
    private readonly workTimers: readonly string[],
    private readonly session: Session | undefined,
  ) {
    super(name, lookout);
  }

  override judge(world: World, last: Event | undefined): Verdict {
    const [problem] = this.lookout.find(world, last);
    return problem === undefined || !this.isIdle(world) ? HOLDS : violated(this.name, problem);
  }

  override end(world: World, quiet: boolean): Verdict {
    const [problem] = this.lookout.find(world, undefined);
    if (problem === undefined || this.isIdle(world)) return super.end(world, quiet);
    const why = this.isWatched
      ? 'the execution ended while controllers had something to do, and this was wrong'
      : 'nothing tells when processes that act by themselves are idle (give milliseconds), and this was wrong';
    // While controllers have something to do, nothing is violated as far as the execution got.
    return { kind: 'unknown', why: `${why}: ${problem.shown().message}`, isUnfinished: this.isWatched };
  }

  private isIdle(world: World): boolean {
    return this.isWatched && controllersAreIdle(world, this.workTimers);
  }

  /** A process that acts by itself may be at work although nothing is pending. */
  private get isWatched(): boolean {
    return this.session?.wait === undefined;
  }
}

class Lasting extends AtOnce {
  private readonly persistence: Persistence;

  constructor(name: string, lookout: Lookout, duration: Duration, session: Session) {
    super(name, lookout);
    this.persistence = new Persistence(session, duration);
  }

  override judge(world: World, last: Event | undefined): Verdict {
    const problem = this.persistence.firstToLast(this.lookout.find(world, last));
    return problem === undefined ? HOLDS : violated(this.name, problem);
  }

  undecidedUntilMs(): number | undefined {
    return this.persistence.undecidedUntilMs;
  }

  /** In a world where nothing can happen any more, a problem stays. */
  override end(world: World, quiet: boolean): Verdict {
    const [problem] = this.lookout.find(world, undefined);
    if (problem === undefined) return super.end(world, quiet);
    if (quiet) return violated(this.name, problem);
    return { kind: 'unknown', why: `the execution ended before this lasted long enough: ${problem.shown().message}` };
  }
}

function violated(oracle: string, { fingerprint, shown }: Problem): Violated {
  const { message, processes, values } = shown();
  return {
    kind: 'violated',
    oracle,
    message,
    processes,
    ...(values === undefined ? {} : { values }),
    fingerprint: `${oracle} ${fingerprint}`,
  };
}

/** A doubt about stations that were at no port of a switch in the whole execution: their names may be wrong. */
export function unseenStation(unseen: ReadonlySet<string>): string | undefined {
  const [name] = unseen;
  return name === undefined ? undefined : `no station ${name} was ever at a port of a switch that is up`;
}

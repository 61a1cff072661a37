import { breather, drive, execution, HANDLER_MS, hung, type Steps } from './kernel/loop.ts';
import type { Session } from './kernel/ports.ts';
import { RandomStrategy } from './explore/random.ts';
import { ReplayDiverged } from './explore/replay.ts';
import { oracleOf, record, type Origin } from './record.ts';
import { reproduce } from './replay.ts';
import { resolveSystem, type ResolvedSystem } from './targets/actors/resolve.ts';
import type { Parameter, System } from './targets/actors/system.ts';
import { actors } from './targets/actors/target.ts';
import type { Trace } from './trace/format.ts';
import type { Violated } from './trace/verdict.ts';
import { checkCount } from './options.ts';

export interface HuntOptions {
  /** The first execution's seed; each further execution takes the next number. */
  readonly seed?: number;
  /** How many executions to try. */
  readonly executions?: number;
  /** How many events an execution may have. */
  readonly eventsMax?: number;
  /** How long a handler may run before it is taken to hang. */
  readonly handlerMs?: number;
  /** Values for the system's parameters. */
  readonly set?: Readonly<Record<string, Parameter>>;
  /** The file that exports the system, from the folder of its package: a trace needs it to be replayed from the file alone. */
  readonly module?: string;
}

export interface HuntReport {
  /** The first violation, as a trace; undefined where none was found. */
  readonly trace: Trace | undefined;
  readonly executions: number;
  /** Executions of which an oracle could not say whether they hold. */
  readonly unknown: number;
  readonly events: number;
}

const defaults = { seed: 1, executions: 10_000, eventsMax: 1_000, handlerMs: HANDLER_MS };

/** Looks for an execution that violates an oracle, in random executions of one seed after the other. */
export async function hunt(system: System, options: HuntOptions = {}): Promise<HuntReport> {
  const { seed, executions, eventsMax, handlerMs } = { ...defaults, ...options };
  checkCount('seed', seed, 0);
  checkCount('executions', executions, 1);
  checkCount('eventsMax', eventsMax, 1);
  checkCount('handlerMs', handlerMs, 1);
  const resolved = resolveSystem(system, options.set);
  const search = new Search(resolved, { seed, executions, eventsMax });
  const found = await search.run(handlerMs);
  const { session } = search;
  if (found === undefined || session === undefined) return { trace: undefined, ...search.spent };
  const origin: Origin = {
    system: resolved,
    module: options.module,
    seed: search.seed,
    strategy: 'random',
    eventsMax,
    handlerMs,
  };
  return { trace: await traceOf(origin, session, found), ...search.spent };
}

interface Bounds {
  readonly seed: number;
  readonly executions: number;
  readonly eventsMax: number;
}

/** Executions of one seed after the other, until one is violated. */
class Search {
  session: Session | undefined;
  seed: number;
  private executions = 0;
  private unknown = 0;
  private events = 0;

  constructor(
    private readonly system: ResolvedSystem,
    private readonly bounds: Bounds,
  ) {
    this.seed = bounds.seed;
  }

  get spent(): Omit<HuntReport, 'trace'> {
    return { executions: this.executions, unknown: this.unknown, events: this.events };
  }

  /** What is violated first; a handler that does not return counts. */
  async run(handlerMs: number): Promise<Violated | undefined> {
    try {
      return await drive(this.steps(), handlerMs);
    } catch (error) {
      if (this.session === undefined) throw error;
      return hung(error, this.session);
    }
  }

  private *steps(): Steps<Violated | undefined> {
    const { seed, executions, eventsMax } = this.bounds;
    const target = actors(this.system);
    const oracle = oracleOf(this.system);
    const rest = breather();
    for (; this.executions < executions; yield* rest()) {
      this.seed = seed + this.executions++;
      this.session = target.open(this.seed);
      const strategy = new RandomStrategy(this.seed, this.system.externals, this.system.startsFirst);
      const { verdict } = yield* execution(this.session, { strategy, oracle, eventsMax });
      this.events += this.session.world.length;
      if (verdict.kind === 'violated') return verdict;
      if (verdict.kind === 'unknown') this.unknown += 1;
      this.session.close();
    }
    return undefined;
  }
}

/** Executes the violation again to write it down, and once more to see that it always comes out the same. */
async function traceOf(origin: Origin, session: Session, found: Violated): Promise<Trace> {
  const trace = await record(origin, session.recording.events.since(0));
  if (trace.verdict.verdict !== 'violated' || trace.verdict.fingerprint !== found.fingerprint) {
    throw new ReplayDiverged(
      trace.events.length,
      `seed ${origin.seed} violated ${found.oracle} (${found.message}), but executed again it did not.`,
    );
  }
  return reproduce(origin, trace);
}

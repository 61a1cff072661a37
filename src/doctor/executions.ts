import { trustedStrategy, strategyNames } from '../schedule/strategies.ts';
import { drive } from '../kernel/drive.ts';
import { execution, hung } from '../kernel/loop.ts';
import type { Session, Strategy } from '../kernel/ports.ts';
import { RegularTurns } from '../kernel/user-code/turns.ts';
import { writeDown, type Listener, type Origin } from '../execution/record.ts';
import { oracleOf } from '../oracles/oracle-of-system.ts';
import type { ResolvedSystem } from '../system/resolve.ts';
import { targetOf } from '../hosts/target.ts';
import type { Trace } from '../trace/format.ts';
import type { Again } from '../determinism/attempt.ts';

export interface ExecutionBounds {
  /** The first seed; each execution takes the next. */
  readonly seed: number;
  readonly executions: number;
  readonly eventsMax: number;
  readonly handlerMs: number;
  /** Ends an execution in which processes act by themselves: it must be closed before culprit ends. */
  readonly signal?: AbortSignal | undefined;
}

/** The executions that a system is judged by: one for each seed, with all strategies in turn. */
export class Executions {
  readonly seeds: readonly number[];
  /** The expected length of an execution: that of the first one. */
  private steps: number | undefined;
  private readonly turns = new RegularTurns();

  constructor(readonly bounds: ExecutionBounds) {
    this.seeds = Array.from({ length: bounds.executions }, (_, at) => bounds.seed + at);
  }

  /** Executes a seed and records it; `around` may wrap its strategy. */
  async execute(
    system: ResolvedSystem,
    seed: number,
    listener?: Listener,
    around: (strategy: Strategy) => Strategy = (strategy) => strategy,
  ): Promise<Trace> {
    await this.turns.turnIfDue();
    const { eventsMax, handlerMs } = this.bounds;
    const strategy = (): Strategy => around(this.strategyOf(system, seed));
    const given = { system, module: undefined, seed, strategy: this.nameOf(seed), eventsMax, handlerMs };
    const origin = this.stoppable(given);
    const trace = await writeDown(origin, strategy, eventsMax, listener);
    if (this.isFirst(seed)) this.steps ??= trace.events.length;
    return trace;
  }

  /** Executes a seed without recording it, which is much faster; `observe` is called after every event. */
  async run(
    system: ResolvedSystem,
    seed: number,
    opened: (session: Session) => void,
    observe: (session: Session) => void = () => {},
  ): Promise<void> {
    await this.turns.turnIfDue();
    const { eventsMax, handlerMs } = this.bounds;
    const strategy = this.strategyOf(system, seed);
    const session = targetOf(system).open(seed);
    opened(session);
    try {
      await drive(execution(session, { strategy, oracle: oracleOf(system), eventsMax, observe }), handlerMs);
    } catch (error) {
      hung(error, session);
    } finally {
      await session.close();
    }
  }

  /** The origin of executions that the signal ends where processes act by themselves. */
  stoppable(origin: Origin): Origin {
    const { signal } = this.bounds;
    if (signal === undefined || origin.system.guarantees.controlled) return origin;
    return { ...origin, isOverdue: () => signal.aborted };
  }

  again(seed: number): Again {
    return (system, listener) => this.execute(system, seed, listener);
  }

  private strategyOf(system: ResolvedSystem, seed: number): Strategy {
    const steps = this.isFirst(seed) ? undefined : this.steps;
    const { weights, pace } = system;
    const bound = steps ?? this.bounds.eventsMax;
    const options = { seed, plan: system.plan(seed), weights, steps: bound, ...(pace === undefined ? {} : { pace }) };
    return trustedStrategy(this.nameOf(seed))(options);
  }

  private nameOf(seed: number): string {
    return strategyNames[seed % strategyNames.length] as string;
  }

  private isFirst(seed: number): boolean {
    return seed === this.bounds.seed;
  }
}

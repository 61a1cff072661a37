import { CoverageSampler, type CoverageSample } from '../coverage/coverage-sample.ts';
import { writeDown, type Listener, type Origin } from '../execution/record.ts';
import { BadPhrase } from '../execution/wording.ts';
import type { NotReady } from '../kernel/errors.ts';
import { asCaller } from '../kernel/user-code/async-code.ts';
import type { Weights } from '../kernel/options/weights.ts';
import type { Session, Strategy } from '../kernel/ports.ts';
import { Throttle } from '../kernel/throttle.ts';
import { RoundDriver } from '../schedule/round-driver.ts';
import { trustedStrategy } from '../schedule/strategies.ts';
import { isArrivalFault } from '../system/arrival-fault.ts';
import { isFault, withoutFaultsOf, type FaultHints } from '../system/without-faults.ts';
import type { ResolvedSystem } from '../system/resolve.ts';
import type { Plan, PlanItem, Trigger } from '../system/workload.ts';
import type { Trace } from '../trace/format.ts';
import type { ExecuteJob } from '../workers/session-runner.ts';
import { progressOfSession, type ExecutionProgress } from './execution-progress.ts';
import type { Takeovers } from './takeover.ts';
import { plainErrorOf, type PlainError } from '../workers/thrown-elsewhere.ts';

/** The settings of all executions of a hunt in which processes act by themselves: plain data. */
export interface SeedConfig {
  readonly module: string | undefined;
  readonly weights: Weights;
  readonly eventsMax: number;
  readonly handlerMs: number;
}

/** The work of a thread that executes seeds. */
export interface SeedWork {
  readonly kind: 'seeds';
  readonly config: SeedConfig;
}

/** What is left out of a control execution: faults, or everything but the starts of processes. */
export type Control = 'no fault' | 'no input';

export interface SeedJob {
  readonly seed: number;
  readonly strategy: string;
  /** Undefined for an execution of the hunt itself. */
  readonly control: Control | undefined;
}

export interface SeedResult {
  /** Undefined if the execution failed before it had a trace. */
  readonly trace: Trace | undefined;
  readonly seen: CoverageSample;
  /** Why the hunt must end. */
  readonly thrown: PlainError | undefined;
  /** Why the system did not get ready; undefined if it did. */
  readonly notReady: PlainError | undefined;
}

/** Executes seeds, and records each execution as it happens. */
export const seedExecutor =
  (
    system: ResolvedSystem,
    config: SeedConfig,
    /** Receives the progress of each execution now and then; in this thread only. */
    onProgress?: (progress: ExecutionProgress) => void,
    takeovers?: Takeovers,
  ): ExecuteJob<SeedJob, SeedResult> =>
  async (job, isCalledOff) => {
    const sampler = new CoverageSampler(system.sometimes);
    let notReady: PlainError | undefined;
    const onNotReady = (error: NotReady): void => void (notReady = plainErrorOf(error));
    try {
      const trace = await executed(system, config, job, { sampler, isCalledOff, onProgress, onNotReady, takeovers });
      return { trace, seen: sampler.seen, thrown: undefined, notReady };
    } catch (error) {
      if (!(error instanceof BadPhrase)) throw error;
      return { trace: error.trace, seen: sampler.seen, thrown: plainErrorOf(error), notReady };
    }
  };

interface Watching {
  readonly sampler: CoverageSampler;
  readonly isCalledOff: () => boolean;
  readonly onProgress: ((progress: ExecutionProgress) => void) | undefined;
  readonly onNotReady: (error: NotReady) => void;
  readonly takeovers: Takeovers | undefined;
}

/** The changes of PCT fall among the first events: those of an execution that a clock ends are not counted beforehand. */
const PCT_STEPS = 1_000;

/** The interval between two progress reports of one execution. */
const PROGRESS_MS = 200;

async function executed(
  given: ResolvedSystem,
  config: SeedConfig,
  { seed, strategy, control }: SeedJob,
  { sampler, isCalledOff, onProgress, onNotReady, takeovers }: Watching,
): Promise<Trace> {
  const { module, weights, eventsMax, handlerMs } = config;
  const system = control === undefined ? given : withoutFaults(given);
  const plan = control === undefined ? system.plan(seed) : controlPlan(system, system.plan(seed), control);
  const { pace } = system;
  const steps = Math.min(eventsMax, PCT_STEPS);
  const options = { seed, plan, weights, steps, ...(pace === undefined ? {} : { pace }) };
  const origin = { system, module, seed, strategy, eventsMax, handlerMs, isOverdue: isCalledOff };
  const { observe } = sampler;
  let session: Session | undefined;
  let driver: RoundDriver | undefined;
  const throttle = new Throttle(PROGRESS_MS);
  const listener = {
    opened: (opened: Session) => void (session = opened),
    notReady: onNotReady,
    line() {
      if (session === undefined) return;
      observe?.(session);
      if (onProgress === undefined || !throttle.isDue) return;
      throttle.happened();
      const progress = progressOfSession(session, driver);
      asCaller(() => onProgress(progress));
    },
    ...(takeovers === undefined ? {} : { handOver: handingOver(takeovers, origin, plan, () => driver) }),
  };
  const chosen = (): Strategy => {
    const made = trustedStrategy(strategy)(options);
    if (made instanceof RoundDriver) driver = made;
    return made;
  };
  try {
    return await writeDown(origin, chosen, eventsMax, listener);
  } finally {
    if (session !== undefined) sampler.add(session);
  }
}

/** The time that the user takes is not the execution's: its strategy leaves it out. */
const handingOver =
  (
    takeovers: Takeovers,
    origin: Origin,
    { startsFirst }: Plan,
    driver: () => RoundDriver | undefined,
  ): NonNullable<Listener['handOver']> =>
  (paused, lines) => {
    const { session } = paused;
    const beganMs = session.nowMs;
    const handed = takeovers.handOver(paused, { origin, startsFirst, lines: () => Promise.resolve(lines) });
    return handed?.finally(() => driver()?.leaveOut(session.nowMs - beganMs));
  };

const withoutFaults = (system: ResolvedSystem): ResolvedSystem => ({
  ...system,
  declaration: withoutFaultsOf(system.declaration, system.hints),
});

/** Whether an execution without faults differs from any other, as far as it is known before it begins: an action may bring a fault about. */
export const mayHaveFaults = (system: ResolvedSystem, seed: number): boolean =>
  Object.values(system.declaration.faults).some((budget) => budget > 0) || hasFaults(system, system.plan(seed));

const hasFaults = ({ hints }: ResolvedSystem, { items, triggers }: Plan): boolean =>
  items.some((item) => isFaultItem(item, hints)) || triggers.some((trigger) => isFaultTrigger(trigger, hints));

const isFaultTrigger = ({ do: act }: Trigger, hints: FaultHints): boolean => isArrivalFault(act) || isFault(act, hints);

const isFaultItem = (item: PlanItem, hints: FaultHints): boolean => item.kind !== 'until' && isFault(item, hints);

/** The plan of a control execution: what it leaves out can have no part in a violation. */
function controlPlan({ hints }: ResolvedSystem, { items, startsFirst, triggers }: Plan, control: Control): Plan {
  if (control === 'no input') return { items: items.slice(0, startsFirst), startsFirst, triggers: [] };
  const firstFault = items.findIndex((item) => isFaultItem(item, hints));
  // A condition that waits for a fault is never true without it.
  const isVain = (item: PlanItem, at: number): boolean =>
    firstFault >= 0 && at > firstFault && item.kind === 'until' && item.awaits === 'world';
  return {
    items: items.filter((item, at) => !isFaultItem(item, hints) && !isVain(item, at)),
    startsFirst,
    triggers: triggers.filter((trigger) => !isFaultTrigger(trigger, hints)),
  };
}

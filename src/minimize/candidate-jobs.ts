import { deserialize, serialize } from 'node:v8';
import type { Origin } from '../execution/record.ts';
import { isSameBug } from '../execution/same-bug.ts';
import { remembers } from '../oracles/remembers.ts';
import type { Event } from '../trace/event.ts';
import type { Violated } from '../trace/verdict.ts';
import type { ExecuteJob } from '../workers/session-runner.ts';
import { survivesCloning } from '../workers/survives-cloning.ts';
import { CandidateExecutor, executionOf, type PlainFailing, type Tried } from './candidate-executor.ts';
import type { CandidateSchedule, Failing } from './pass.ts';
import { renamedViolation } from './passes/renaming.ts';

/** The work of a thread that executes candidates of a controlled system. */
export interface CandidateWork {
  readonly kind: 'candidates';
  /** The origin without its system. */
  readonly origin: Omit<Origin, 'system' | 'isOverdue'>;
  /** The violation that is minimized, as it was given: the other oracles have no say at the end of an execution. */
  readonly violation: Violated;
  /** The execution that is minimized, as it was given. */
  readonly original: readonly Event[];
  /** Shared memory with the number of the newest round: a job of an earlier one is over. */
  readonly newest?: Int32Array;
}

/** Candidates to execute one after another: plain data, so that any thread can do it, with the same result. */
export interface CandidateJob {
  readonly round: number;
  readonly base: SharedBase;
  /** The violation to look for; with a renaming, its processes have new names. */
  readonly violation: Violated;
  readonly candidates: readonly PlainCandidate[];
}

/** The execution that candidates are parts of. */
export interface SharedBase {
  /** A number that no other base of the minimization has. */
  readonly id: number;
  /** Its events and targets, serialized by V8. Threads share the memory. */
  readonly bytes: Uint8Array;
}

/** A candidate as plain data. */
interface PlainCandidate extends Omit<CandidateSchedule, 'events' | 'targets' | 'upcoming'> {
  /** An event of the base by its place, any other as it is. */
  readonly events: readonly (number | Event)[];
  /** Undefined: those of the base. */
  readonly targets: CandidateSchedule['targets'] | undefined;
}

/** The results of the first candidates of a job. The thread that gave it does the others, if it still needs them. */
export interface CandidateAnswer {
  readonly tried: readonly Tried[];
  readonly tookMs: number;
}

type BaseExecution = Pick<Failing, 'events' | 'targets'>;

/** An execution whose events candidates consist of, ready to be shared. */
export class CandidateBase {
  private readonly places: ReadonlyMap<Event, number>;
  private shared: SharedBase | undefined;

  constructor(
    private readonly id: number,
    private readonly execution: BaseExecution,
  ) {
    this.places = new Map(execution.events.map((event, at) => [event, at]));
  }

  /** Undefined if other threads would see other data: then candidates cannot be shared. */
  job(round: number, violation: Violated, candidates: readonly CandidateSchedule[]): CandidateJob | undefined {
    const base = this.share();
    const plain = candidates.map((candidate) => this.plain(candidate));
    return base !== undefined && survivesCloning(plain) ? { round, base, violation, candidates: plain } : undefined;
  }

  private share(): SharedBase | undefined {
    const { events, targets } = this.execution;
    const execution: BaseExecution = { events, targets };
    this.shared ??= survivesCloning(execution) ? { id: this.id, bytes: sharedBytes(execution) } : undefined;
    return this.shared;
  }

  private plain({ upcoming: _upcoming, ...candidate }: CandidateSchedule): PlainCandidate {
    const events = candidate.events.map((event) => this.places.get(event) ?? event);
    return {
      ...candidate,
      events,
      targets: candidate.targets === this.execution.targets ? undefined : candidate.targets,
    };
  }
}

function sharedBytes(execution: BaseExecution): Uint8Array {
  const bytes = serialize(execution);
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
  shared.set(bytes);
  return shared;
}

/** Executes candidates until one fails that is shorter than the base, which makes the others superfluous, or until the job is called off. */
export function candidateExecutor(origin: Origin, work: CandidateWork): ExecuteJob<CandidateJob, CandidateAnswer> {
  const executing = new JobExecutor(origin, work);
  return (job, isCalledOff) => executing.execute(job, isCalledOff);
}

class JobExecutor {
  private readonly executor: CandidateExecutor;
  private base: (BaseExecution & Pick<SharedBase, 'id'>) | undefined;
  private violation: Violated;

  constructor(
    origin: Origin,
    private readonly work: CandidateWork,
  ) {
    this.violation = work.violation;
    const execution = executionOf(origin, work.violation);
    const options = {
      ...execution,
      sharesBeginnings: !remembers(execution.oracle),
      isSame: (other: Violated, renaming: CandidateSchedule['renaming']) =>
        isSameBug(other, renaming === undefined ? this.violation : renamedViolation(this.violation, renaming)),
    };
    this.executor = new CandidateExecutor(options, work.original);
  }

  async execute(job: CandidateJob, isCalledOff: () => boolean): Promise<CandidateAnswer> {
    const beganMs = performance.now();
    const isOver = (): boolean => isCalledOff() || this.isOutdated(job);
    const base = this.baseOf(job.base);
    this.violation = job.violation;
    const candidates = job.candidates.map((plain) => candidateFrom(plain, base));
    const tried: Tried[] = [];
    const isEnough = (last: Tried): boolean => isOver() || isShorter(last, base.events.length);
    // An error, and code that does not return, are left to the thread that gave the job.
    if (!isOver()) await this.executor.tryInOneGo(candidates, tried, isEnough).catch(() => undefined);
    return { tried: portable(tried), tookMs: performance.now() - beganMs };
  }

  private isOutdated({ round }: CandidateJob): boolean {
    const { newest } = this.work;
    return newest !== undefined && Atomics.load(newest, 0) !== round;
  }

  private baseOf({ id, bytes }: SharedBase): BaseExecution {
    if (this.base?.id !== id) {
      this.base = { id, ...(deserialize(bytes) as BaseExecution) };
      this.executor.rebase(this.base.events);
    }
    return this.base;
  }
}

const candidateFrom = ({ events, targets, ...rest }: PlainCandidate, base: BaseExecution): CandidateSchedule => ({
  ...rest,
  events: events.map((event) => (typeof event === 'number' ? (base.events[event] as Event) : event)),
  targets: targets ?? base.targets,
});

/** Whether the pass is likely to continue with this execution instead of the base. */
export const isShorter = ({ violated }: Tried, length: number): boolean =>
  violated?.isSame === true && violated.failing.events.length < length;

/** The results up to the first that another thread would see otherwise. */
function portable(tried: readonly Tried[]): readonly Tried[] {
  const plain = tried.map((one) => ({ ...one, violated: one.violated && withoutValues(one.violated) }));
  const odd = plain.findIndex((one) => !survivesCloning(one));
  return odd < 0 ? plain : plain.slice(0, odd);
}

/** The values that an invariant compared may be anything, and are only shown. */
const withoutValues = ({
  failing: { violation, ...failing },
  isSame,
}: NonNullable<Tried['violated']>): { failing: PlainFailing; isSame: boolean } => {
  const { values: _values, ...plain } = violation;
  return { failing: { ...failing, violation: plain }, isSame };
};

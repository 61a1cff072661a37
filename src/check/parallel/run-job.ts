import type { CheckBounds } from '../options.ts';
import type { CheckedPlan } from '../fault-plan-search.ts';
import { Examination } from '../plan-explorer.ts';
import { overdue } from '../../kernel/user-code/overdue.ts';
import { driveAtLength } from '../../kernel/drive.ts';
import type { ResolvedSystem } from '../../system/resolve.ts';
import type { Task, TaskDone } from './job.ts';
import { writeTrace } from '../../trace/file.ts';
import type { Trace } from '../../trace/format.ts';

/** Does one task. */
export class TaskRun {
  readonly examination: Examination;

  constructor(
    system: ResolvedSystem,
    private readonly bounds: CheckBounds,
    probe: Trace | undefined,
  ) {
    this.examination = new Examination(system, bounds);
    this.examination.probe = probe;
  }

  async run(task: Task): Promise<TaskDone> {
    const { examination } = this;
    const { handlerMs } = this.bounds;
    const { observed, jury, plans } = examination;
    const plan = plans[task.plan] as CheckedPlan;
    observed.restore(task.observed);
    for (const fingerprint of task.fingerprints) jury.fingerprints.add(fingerprint);
    await examination.explore(plan, this.isEnough(plan, task), plan.restore(task.saved, task.proposals));
    const divideAt = task.divides ? await driveAtLength(plan.divide(), handlerMs) : undefined;
    return {
      saved: plan.save(),
      isStale: plan.isOutdated,
      ...(divideAt === undefined ? {} : { divideAt }),
      proposals: plan.proposals,
      observed: observed.save(),
      ...(jury.whyUnknown === undefined ? {} : { whyUnknown: jury.whyUnknown }),
      findings: examination.findings.map(({ trace, executions }) => ({ trace: writeTrace(trace), executions })),
      claims: examination.audit.claims,
      audited: examination.audit.audited,
      refuted: examination.refuted,
    };
  }

  private isEnough({ tally }: CheckedPlan, { executions, violations, seconds }: Task): () => boolean {
    const endMs = performance.now() + seconds * 1000;
    const { findings } = this.examination;
    const { signal } = this.bounds;
    this.examination.isOverdue = overdue(() => signal?.aborted === true || performance.now() >= endMs);
    return () =>
      tally.executions >= executions ||
      findings.length >= violations ||
      signal?.aborted === true ||
      performance.now() >= endMs;
  }
}

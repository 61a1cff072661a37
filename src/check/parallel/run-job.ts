import type { CheckBounds } from '../options.ts';
import type { FaultPlanSearch } from '../fault-plan-search.ts';
import { PlanExplorer } from '../plan-explorer.ts';
import { overdue } from '../../kernel/user-code/overdue.ts';
import { driveAtLength } from '../../kernel/drive.ts';
import type { ResolvedSystem } from '../../system/resolve.ts';
import type { Job, JobResult } from './job.ts';
import { writeTrace } from '../../trace/file.ts';
import type { Trace } from '../../trace/format.ts';

/** Does one task. */
export class JobRun {
  readonly examination: PlanExplorer;

  constructor(
    system: ResolvedSystem,
    private readonly bounds: CheckBounds,
    probe: Trace | undefined,
  ) {
    this.examination = new PlanExplorer(system, bounds);
    this.examination.probe = probe;
  }

  async run(task: Job): Promise<JobResult> {
    const { examination } = this;
    const { handlerMs } = this.bounds;
    const { observed, jury, plans } = examination;
    const plan = plans[task.plan] as FaultPlanSearch;
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

  private isEnough({ tally }: FaultPlanSearch, { executions, violations, seconds }: Job): () => boolean {
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

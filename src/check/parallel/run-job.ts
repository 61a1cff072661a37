import type { CheckBounds } from '../options.ts';
import type { FaultPlanSearch } from '../fault-plan-search.ts';
import { PlanExplorer } from '../plan-explorer.ts';
import { overdue } from '../../kernel/user-code/overdue.ts';
import { driveAtLength } from '../../kernel/drive.ts';
import type { ResolvedSystem } from '../../system/resolve.ts';
import type { Job, JobResult } from './job.ts';
import { writeTrace } from '../../trace/file.ts';
import type { Trace } from '../../trace/format.ts';

/** Does one job. */
export class JobRun {
  readonly explorer: PlanExplorer;

  constructor(
    system: ResolvedSystem,
    private readonly bounds: CheckBounds,
    probe: Trace | undefined,
  ) {
    this.explorer = new PlanExplorer(system, bounds);
    this.explorer.probe = probe;
  }

  async run(job: Job): Promise<JobResult> {
    const { explorer } = this;
    const { handlerMs } = this.bounds;
    const { oracleReads, verdicts, plans } = explorer;
    const plan = plans[job.plan] as FaultPlanSearch;
    oracleReads.restore(job.oracleReads);
    for (const fingerprint of job.fingerprints) verdicts.fingerprints.add(fingerprint);
    await explorer.explore(plan, this.isEnough(plan, job), plan.restore(job.saved, job.proposals));
    const divideAt = job.divides ? await driveAtLength(plan.divide(), handlerMs) : undefined;
    return {
      saved: plan.save(),
      isStale: plan.isOutdated,
      ...(divideAt === undefined ? {} : { divideAt }),
      proposals: plan.proposals,
      oracleReads: oracleReads.save(),
      ...(verdicts.whyUnknown === undefined ? {} : { whyUnknown: verdicts.whyUnknown }),
      findings: explorer.findings.map(({ trace, executions }) => ({ trace: writeTrace(trace), executions })),
      claims: explorer.audit.claims,
      audited: explorer.audit.audited,
      refuted: explorer.refuted,
    };
  }

  private isEnough({ tally }: FaultPlanSearch, { executions, violations, seconds }: Job): () => boolean {
    const endMs = performance.now() + seconds * 1000;
    const { findings } = this.explorer;
    const { signal } = this.bounds;
    this.explorer.isOverdue = overdue(() => signal?.aborted === true || performance.now() >= endMs);
    return () =>
      tally.executions >= executions ||
      findings.length >= violations ||
      signal?.aborted === true ||
      performance.now() >= endMs;
  }
}

import type { MessagePort } from 'node:worker_threads';
import type { CheckBounds } from '../options.ts';
import type { Job, JobResult } from './job.ts';
import { JobRun } from './run-job.ts';
import type { ResolvedSystem } from '../../system/resolve.ts';
import type { Trace } from '../../trace/format.ts';
import { STOP } from '../../workers/messages.ts';
import type { ExecuteJob } from '../../workers/session-runner.ts';

/** The work of a worker that explores pieces of a check. */
export interface CheckWork {
  readonly kind: 'check';
  readonly bounds: CheckBounds;
}

/** Undefined if the job threw: then the main thread does the job, to see the error. */
export type JobAnswer = JobResult | undefined;

/** Explores pieces of a check in the order of their arrival, until a message stops it. */
export async function runJobs(
  system: ResolvedSystem,
  { work, probe, port }: { readonly work: CheckWork; readonly probe: Trace | undefined; readonly port: MessagePort },
  jobs: AsyncIterable<[Job | typeof STOP]>,
  answer: (answer: JobAnswer) => void,
): Promise<void> {
  const bounds = { ...work.bounds, signal: stoppedBy(port) };
  for await (const [job] of jobs)
    if (job !== STOP) answer(await new JobRun(system, bounds, probe).run(job).catch(() => undefined));
}

/** Explores each piece by itself, for other machines: a job has one answer. */
export const pieceExecutor =
  (system: ResolvedSystem, { bounds }: CheckWork, probe: Trace | undefined): ExecuteJob<Job, JobAnswer[]> =>
  async (job) => [await new JobRun(system, bounds, probe).run(job).catch(() => undefined)];

function stoppedBy(port: MessagePort): AbortSignal {
  const interruption = new AbortController();
  port.on('message', (message) => {
    if (message === STOP) interruption.abort();
  });
  return interruption.signal;
}

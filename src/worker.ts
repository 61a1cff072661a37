import { on } from 'node:events';
import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import type { Job } from './check/parallel/job.ts';
import { pieceExecutor, runJobs, type CheckWork } from './check/parallel/worker-jobs.ts';
import { CulpritError } from './error.ts';
import type { Range } from './hunt/executor.ts';
import { replayExecutor, type ReplayWork } from './execution/waiting-replay.ts';
import { seedExecutor, type SeedWork } from './hunt/seed-jobs.ts';
import { executeRanges, rangeExecutor, type HuntWork } from './hunt/worker-jobs.ts';
import { candidateExecutor, type CandidateJob, type CandidateWork } from './minimize/candidate-jobs.ts';
import { trialExecutor, type TrialWork } from './minimize/trial-jobs.ts';
import { runSessions, type CallOff, type NumberedJob } from './workers/session-jobs.ts';
import type { ExecuteJob } from './workers/session-runner.ts';
import { showPrinting } from './kernel/user-code/console-capture.ts';
import { watchedBy } from './kernel/user-code/watchdog.ts';
import { reproduce } from './replay/replay.ts';
import { loadSystem } from './system/load-system.ts';
import { resolveSystem, type ResolvedSystem } from './system/resolve.ts';
import type { Assignment, STOP, WorkerMessage } from './workers/messages.ts';

/** The kinds of work. */
type Work = HuntWork | CheckWork | CandidateWork | SessionWork;

/** Work in sessions whose processes act by themselves: one job is one session. */
type SessionWork = SeedWork | ReplayWork | TrialWork;

async function run(port: MessagePort, assignment: Assignment<Work>): Promise<void> {
  const tell = (news: WorkerMessage<unknown>): void => port.postMessage(news);
  // Listen before the first await, so that no message is missed.
  const jobs = on(port, 'message') as AsyncIterable<[unknown]>;
  const { work, probe } = assignment;
  watchedBy(assignment.memory);
  if (assignment.verbose) showPrinting();
  try {
    const system = await systemFor(assignment);
    tell({ kind: 'ready' });
    const answer = (given: unknown): void => tell({ kind: 'answer', answer: given });
    if (assignment.isNumbered)
      await runSessions(
        executorOf(system, assignment),
        port,
        jobs as AsyncIterable<[NumberedJob<never> | CallOff]>,
        answer,
      );
    else if (work.kind === 'hunt') await executeRanges(system, work, jobs as AsyncIterable<[Range]>, answer);
    else if (work.kind === 'check')
      await runJobs(system, { work, probe, port }, jobs as AsyncIterable<[Job | typeof STOP]>, answer);
    else if (work.kind === 'candidates') {
      const execute = candidateExecutor({ system, ...work.origin }, work);
      for await (const [job] of jobs as AsyncIterable<[CandidateJob]>) answer(await execute(job, () => false));
    }
  } catch (error) {
    if (!(error instanceof CulpritError)) throw error;
    tell({ kind: 'unable', problem: error.message, next: error.next });
  }
}

function executorOf(system: ResolvedSystem, { work, probe }: Assignment<Work>): ExecuteJob<never, unknown> {
  switch (work.kind) {
    case 'hunt':
      return rangeExecutor(system, work);
    case 'check':
      return pieceExecutor(system, work, probe);
    case 'seeds':
      return seedExecutor(system, work.config);
    case 'replays':
      return replayExecutor({ system, ...work.origin });
    case 'trials':
      return trialExecutor({ system, ...work.origin }, work.violation);
    case 'candidates':
      return candidateExecutor({ system, ...work.origin }, work);
  }
}

/** The system of the assignment; throws if the module exports another one. */
async function systemFor(assignment: Assignment<Work>): Promise<ResolvedSystem> {
  const { file, nth, parameters, probe, work } = assignment;
  const { system: given } = await loadSystem(file);
  if (nth !== undefined && given.nth !== nth) throw new OtherSystem(file, nth, given.nth);
  const system = resolveSystem(given, parameters);
  if (probe === undefined || (work.kind !== 'hunt' && work.kind !== 'check' && work.kind !== 'candidates'))
    return system;
  const { seed, options } = probe.header;
  const { handlerMs } = work.kind === 'hunt' ? work.config : work.kind === 'check' ? work.bounds : work.origin;
  await reproduce({ system, module: undefined, seed, ...options, handlerMs }, probe);
  return system;
}

/** The module exports a different system by default than the one being hunted. */
class OtherSystem extends CulpritError {
  readonly code = 'OTHER_SYSTEM';

  constructor(file: string, wanted: number, found: number) {
    super(
      `${file} exports a different system by default (number ${found}) than the one in use (number ${wanted}).`,
      'Workers load the default export: export this system by default, or turn the difference into a parameter.',
    );
  }
}

if (parentPort === null) throw new Error('worker.ts is started by workers/worker-pool.ts, as a thread');
await run(parentPort, workerData as Assignment<Work>);

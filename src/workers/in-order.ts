import type { SessionRunner } from './session-runner.ts';

/** A job, and its result. */
export interface JobDone<Job, Result> {
  readonly job: Job;
  readonly result: Result;
}

/**
 * Executes jobs side by side, as many at a time as the runner takes, and gives their results in the order of the jobs. A job
 * is asked for when it can start. The jobs under way when the caller stops are ended, and counted.
 */
export async function* inOrder<Job, Result>(
  runner: SessionRunner<Job, Result>,
  nextJob: () => Job | undefined,
  onAbandoned: (jobs: number) => void = () => {},
): AsyncGenerator<JobDone<Job, Result>, void> {
  const calledOff = new AbortController();
  const started: Promise<JobDone<Job, Result>>[] = [];
  const start = (job: Job): void => {
    const done = runner.run(job, calledOff.signal).then((result) => ({ job, result }));
    // Its turn to be awaited may come after it has failed.
    done.catch(() => undefined);
    started.push(done);
  };
  try {
    for (;;) {
      for (let job; started.length < runner.jobs && (job = nextJob()) !== undefined;) start(job);
      const first = started.shift();
      if (first === undefined) return;
      yield await first;
    }
  } finally {
    if (started.length > 0) onAbandoned(started.length);
    calledOff.abort();
    await Promise.allSettled(started);
  }
}

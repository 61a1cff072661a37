import type * as Threads from 'node:worker_threads';

/**
 * The threads of Node, of which those of culprit run the built worker: threads run no TypeScript. Without the arguments of this process,
 * `culprit` means the built package there.
 */
export function builtThreads(threads: typeof Threads): typeof Threads {
  const built = new URL('../../dist/worker.js', import.meta.url);
  class BuiltWorker extends threads.Worker {
    constructor(entry: string | URL, options?: Threads.WorkerOptions) {
      const isSource = entry.toString().endsWith('/src/worker.ts');
      super(isSource ? built : entry, isSource ? { ...options, execArgv: [] } : options);
    }
  }
  return { ...threads, Worker: BuiltWorker };
}

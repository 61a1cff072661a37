import { isMainThread } from 'node:worker_threads';
import { behavior, defineSystem } from 'culprit';

// In a worker, loading this never ends.
if (!isMainThread) await new Promise(() => setInterval(() => {}, 1_000));

export default defineSystem({ processes: { a: behavior({ start: () => ({}), receive() {} }) } });

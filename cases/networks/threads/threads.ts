import { Worker } from 'node:worker_threads';
import type { ControllerIo } from '../base/app.ts';

/** Computes something elsewhere, and calls back. */
export type Compute = (done: () => void) => void;

/** One computation after the other; each takes so many milliseconds, in which the thread does nothing else. */
const computations = `
  const { parentPort, workerData } = require('node:worker_threads');
  const never = new Int32Array(new SharedArrayBuffer(4));
  parentPort.on('message', (number) => {
    Atomics.wait(never, 0, 0, workerData);
    parentPort.postMessage(number);
  });
`;

/** A thread of the operating system. */
export function workerThread(ms: number): Compute {
  const worker = new Worker(computations, { eval: true, workerData: ms });
  const waiting = new Map<number, () => void>();
  let begun = 0;
  worker.on('message', (number: number) => {
    waiting.get(number)?.();
    waiting.delete(number);
  });
  return (done) => {
    waiting.set((begun += 1), done);
    worker.postMessage(begun);
  };
}

/** The same in memory: a timer in place of the thread. */
export const timerThread =
  (io: Pick<ControllerIo, 'setTimeout'>, ms: number): Compute =>
  (done) => {
    const computed = (): void => done();
    io.setTimeout(computed, ms);
  };

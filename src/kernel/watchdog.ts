import { hasUncaughtExceptionCaptureCallback, nextTick, setUncaughtExceptionCaptureCallback } from 'node:process';
import { isMainThread, Worker } from 'node:worker_threads';
import { codeWasEnded, countOwnTimer } from './async-code.ts';
import { globals, TimedOut } from './guard.ts';

/** What both threads see: a count that moves while all is well, the bound (0: nobody watches), and how often we bit. */
const BEAT = 0;
const BOUND_MS = 1;
const BITES = 2;

/**
 * Runs in a thread of its own, where the loop that never yields does not stop it. The inspector is the one way in Node
 * to end what another thread executes: the rest of that thread goes on.
 */
const program = `
  const { workerData: memory } = require('node:worker_threads');
  const session = new (require('node:inspector').Session)();
  session.connectToMainThread();
  let beat = -1;
  let since = 0;
  setInterval(() => {
    const bound = Atomics.load(memory, ${BOUND_MS});
    const seen = Atomics.load(memory, ${BEAT});
    if (bound === 0 || seen !== beat) [beat, since] = [seen, Date.now()];
    else if (Date.now() - since > bound) {
      since = Date.now();
      Atomics.add(memory, ${BITES}, 1);
      session.post('Runtime.terminateExecution');
    }
  }, 20);
`;

/** Where the memory is kept that all watches of this process share, whichever of Jest's test files they belong to. */
const KEY = Symbol.for('culprit.watchdog');

/** What another thread watches this one by. */
let memory: Int32Array | undefined;

/** Memory to watch another thread by. */
export const watchMemory = (): Int32Array => new Int32Array(new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT));

/** From here on, the thread that gave us the memory watches us, by `hangIn`. */
export function watchedBy(given: Int32Array): void {
  memory = given;
}

/** Says, each time it is asked, whether the thread with that memory has been hanging for longer than its bound. */
export function hangIn(shared: Int32Array): () => boolean {
  let beat = -1;
  let since = 0;
  return () => {
    const bound = Atomics.load(shared, BOUND_MS);
    const seen = Atomics.load(shared, BEAT);
    if (bound === 0 || seen !== beat) [beat, since] = [seen, performance.now()];
    return bound > 0 && performance.now() - since > bound;
  };
}

export interface Watch {
  /** Says that the code under watch has got somewhere, by itself. Throws `TimedOut` where it was ended instead. */
  beat(): void;
  end(): void;
}

/**
 * Ends code that does not return although it runs where no guard can reach it: what follows an `await`. What waited for
 * that code may go on, or never settle: `beat` throws in the one case, `onHang` is called in the other. Works in the
 * main thread alone. Other threads only show that they are alive, to whoever watches them: they cannot be saved, but
 * ended. Where nobody does, such code hangs, as it would without us.
 */
export function watchForHangs(boundMs: number, onHang: (error: TimedOut) => void): Watch {
  if (!isMainThread && memory === undefined) return { beat() {}, end() {} };
  // In the main thread, the second thread starts with the first watch.
  const shared = memory ?? ((globals[KEY] ??= startThread()) as Int32Array);
  const bites = Atomics.load(shared, BITES);
  const timedOut = (): TimedOut | undefined => {
    if (Atomics.load(shared, BITES) === bites) return undefined;
    codeWasEnded();
    emptyAsyncStack();
    return new TimedOut(`no return within ${boundMs} ms`);
  };
  const beat = (): void => {
    shared[BEAT] = ((shared[BEAT] as number) + 1) | 0;
  };
  // A thread that waits for something is not one that hangs: timers beat too.
  let isOver = false;
  countOwnTimer(1);
  const pulse = setInterval(() => {
    beat();
    const error = timedOut();
    if (error !== undefined) onHang(error);
  }, 20);
  Atomics.store(shared, BOUND_MS, boundMs);
  return {
    beat() {
      beat();
      const error = timedOut();
      if (error !== undefined) throw error;
    },
    end() {
      if (isOver) return;
      isOver = true;
      clearInterval(pulse);
      countOwnTimer(-1);
      Atomics.store(shared, BOUND_MS, 0);
    },
  };
}

/**
 * What is ended in the middle of a promise stays on Node's stack of async contexts. Where async hooks are on, as they are
 * in Jest and under an AsyncLocalStorage, Node aborts as soon as it sees that. An uncaught exception empties the stack:
 * so one is thrown, and caught.
 */
function emptyAsyncStack(): void {
  if (hasUncaughtExceptionCaptureCallback()) return;
  setUncaughtExceptionCaptureCallback(() => setUncaughtExceptionCaptureCallback(null));
  nextTick(() => {
    throw new Error('caught at once');
  });
}

function startThread(): Int32Array {
  const shared = watchMemory();
  new Worker(program, { eval: true, workerData: shared }).unref();
  return shared;
}

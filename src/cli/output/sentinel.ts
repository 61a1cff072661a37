import { constants, devNull } from 'node:os';
import { codeWasEnded, latestEvent } from '../../kernel/user-code/async-code.ts';
import { startThread } from '../../kernel/user-code/watchdog.ts';
import { endNow, EXIT_CODES, type StopSignal } from './exit-code.ts';
import { labeled, printErrorLines } from './lines.ts';
import { MemoryFull, memoryMarks } from './memory-watch.ts';
import { reportError, runningCodeIfKnown } from './report-error.ts';

/**
 * Shared by both threads: the number of signals that this thread has received, whether it listens, whether a debugger is connected,
 * whether standard error is to be closed, and how many of the signals did not ask the command to end.
 */
const HEARD = 0;
const LISTENS = 1;
const DEBUGS = 2;
const MUTES = 3;
const SPENT = 4;
const duty = new Int32Array(new SharedArrayBuffer(5 * Int32Array.BYTES_PER_ELEMENT));

/**
 * How long the command may take to notice a signal, in milliseconds: the first one, and any other. It yields every 50
 * ms to receive signals; on a busy machine that may take a second longer.
 */
const PATIENCE_MS = { first: 3_000, other: 300 };

/** How often the other thread looks at the memory of the process. */
const LOOK_MS = 50;

/** How long the other thread may take to close standard error. */
const MUTE_MS = 2_000;

/** How long interrupted code may take to end. */
const END_MS = 1_000;

/**
 * Runs in the watchdog's thread, where the system cannot block it. Node's public functions deliver signals only to the
 * main thread, when its event loop gets a turn; the internal binding works in any thread. The inspector can call
 * functions of the main thread at any point, even in a loop or in a regular expression.
 */
const program = `
  const { duty, numbers, soonFullBytes, fullBytes, stepBytes } = require('node:worker_threads').workerData;
  const call = (what) => "globalThis[Symbol.for('culprit.sentinel')]." + what;
  const stop = (name) => callMain(call("stop('" + name + "')"));
  // For a debugger, V8 raises the limit of a full heap once and pauses, where it would end the process otherwise.
  const waitForFullHeap = () => {
    Atomics.store(duty, ${DEBUGS}, 1);
    heapSession = connect();
    heapSession.on('Debugger.paused', nameFullHeap);
    pauseWhereFull();
  };
  const nameFullHeap = () => {
    const expression = call('endWithFullMemory()');
    // It is answered only where it could not run: a time limit in the middle of a call ends the call instead of the code that is
    // paused, and V8 evaluates nothing else until that code is ended, too.
    heapSession.post('Runtime.evaluate', { expression, silent: true }, () => {
      heapSession.post('Runtime.terminateExecution');
      heapSession.post('Debugger.resume');
    });
  };
  // V8 answers these messages without running any code: it cannot pause meanwhile.
  const heapBytes = (then) => heapSession.post('Runtime.getHeapUsage', (error, heap) => then(heap?.usedSize ?? 0));
  let isLooking = false;
  let nextBytes = fullBytes;
  const lookAtHeap = () => {
    isLooking = true;
    heapBytes((before) => {
      if (before < nextBytes) return (isLooking = false);
      heapSession.post('HeapProfiler.collectGarbage', () =>
        heapBytes((after) => {
          isLooking = false;
          nextBytes = Math.max(fullBytes, after + stepBytes);
          if (after >= fullBytes) callMain(call('endWithFullMemory()'));
        }),
      );
    });
  };
  // Here, because this thread opens files all the time: one that is opened between the two calls would become standard error,
  // and Node aborts where that is closed.
  const mute = () => {
    const { closeSync, openSync } = require('node:fs');
    closeSync(2);
    openSync(${JSON.stringify(devNull)}, 'w');
    Atomics.store(duty, ${MUTES}, 0);
  };
  setInterval(() => {
    if (Atomics.load(duty, ${MUTES}) === 1) mute();
    const bytes = process.memoryUsage.rss();
    if (bytes >= soonFullBytes && heapSession === undefined) waitForFullHeap();
    if (bytes >= fullBytes && !isLooking) lookAtHeap();
  }, ${LOOK_MS});
  let signals = 0;
  const end = (name) => {
    stop(name);
    setTimeout(() => {
      require('node:fs').writeSync(2, 'stopped   by ' + name + ', during code that could not be ended otherwise\\n');
      process.kill(process.pid, 'SIGKILL');
    }, ${END_MS});
  };
  const hear = (name) => {
    signals += 1;
    const isFirst = signals - Atomics.load(duty, ${SPENT}) === 1;
    const patience = Atomics.load(duty, ${LISTENS}) === 0 ? 0 : isFirst ? ${PATIENCE_MS.first} : ${PATIENCE_MS.other};
    const awaited = signals;
    setTimeout(() => {
      if (Atomics.load(duty, ${HEARD}) < awaited) end(name);
    }, patience);
  };
  const listen = () => {
    process.noDeprecation = true;
    const { Signal } = process.binding('signal_wrap');
    for (const [name, number] of Object.entries(numbers)) {
      const wrap = new Signal();
      wrap.onsignal = () => hear(name);
      wrap.unref();
      wrap.start(number);
    }
  };
  try {
    listen();
  } catch {
    // A Node without the binding: signals arrive when the event loop gets a turn.
  }
`;

/** Starts the thread that watches over the command. */
export function startSentinel(): void {
  const numbers = Object.fromEntries(
    Object.keys(EXIT_CODES).map((name) => [name, constants.signals[name as StopSignal]]),
  );
  Object.defineProperty(globalThis, Symbol.for('culprit.sentinel'), {
    value: { stop, endWithFullMemory },
  });
  process.on('exit', muteNode);
  startThread({ program, data: { duty, numbers, ...memoryMarks } });
}

/** From now on, the command receives signals itself. */
export const takeOverSignals = (): void => void Atomics.store(duty, LISTENS, 1);

/** The command has received a signal. */
export const noteSignal = (): void => void Atomics.add(duty, HEARD, 1);

/** The signal did not ask the command to end: the next one counts as the first. */
export const spendSignal = (): void => void Atomics.add(duty, SPENT, 1);

/** Called if the command did not notice a signal, because running code keeps the event loop busy. */
function stop(name: StopSignal): void {
  sayStopped(name, runningCodeIfKnown());
  endQuietly(EXIT_CODES[name]);
}

/** Says which signal stopped the command, and which code of the system was running. */
export function sayStopped(name: StopSignal, who: string | undefined): void {
  // From now on, culprit prints, and not the system.
  codeWasEnded();
  printErrorLines(labeled('stopped', who === undefined ? `by ${name}` : `by ${name}, while ${who} ran`));
}

/** Called while there is still enough memory to say whose code filled it. */
function endWithFullMemory(): never {
  const running = runningCodeIfKnown();
  const who = running === undefined ? `after ${latestEvent() ?? 'the system was loaded'}` : `while ${running} ran`;
  const error = new MemoryFull(who);
  codeWasEnded();
  reportError(error);
  endQuietly(2);
}

/** Ends the process in a call of the inspector, so that a debugger is connected. */
function endQuietly(exitCode: number): never {
  Atomics.store(duty, DEBUGS, 1);
  endNow(exitCode);
}

/** Called when the process ends. With a debugger connected, Node would print that it waits for the debugger to disconnect. */
function muteNode(): void {
  if (Atomics.load(duty, DEBUGS) === 0) return;
  Atomics.store(duty, MUTES, 1);
  for (const since = Date.now(); Atomics.load(duty, MUTES) === 1 && Date.now() - since < MUTE_MS;);
}

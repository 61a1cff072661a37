import { openSync, closeSync } from 'node:fs';
import { constants, devNull } from 'node:os';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { codeWasEnded } from '../kernel/async-code.ts';
import { startThread } from '../kernel/watchdog.ts';
import { endNow, EXIT_CODES, type StopSignal } from './exit-code.ts';
import { complain, labelled } from './output.ts';
import { reportError, whoRuns } from './report-error.ts';
import { HeapFull } from './heap-full.ts';
import { errorStyle as style } from './style.ts';

/** What both threads see: how many signals this one has heard, and whether it listens. */
const HEARD = 0;
const LISTENS = 1;
const duty = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));

/** How long the command may take until it hears a signal, in milliseconds: the first one, and any other. */
const PATIENCE_MS = { first: 1_000, other: 300 };

/**
 * Shares of what the heap may have: where the process has more memory than the first, the heap is looked at; where the heap has more than
 * the second, garbage is collected; and where more than the third is left, it is full.
 */
const HEAP = { looked: 0.7, suspect: 0.84, full: 0.8 };

/** How often the heap is looked at, where the process is large. */
const LOOK_MS = 30;

/** Collecting garbage to find out whether it is full may take this share of the time. */
const PARTS = 10;

/**
 * Runs in the thread that watches for hangs, where nothing that the system does can block it. Node lets only the main thread listen to
 * signals by its public functions, and hears them when its event loop turns; what it listens with works in any thread.
 * The inspector calls functions of the main thread wherever that is, also in a loop or in a regular expression.
 */
const program = `
  const { duty, numbers, heapLimit } = require('node:worker_threads').workerData;
  const call = (what, then) => {
    const session = new (require('node:inspector').Session)();
    session.connectToMainThread();
    const expression = "globalThis[Symbol.for('culprit.sentinel')]." + what;
    session.post('Runtime.evaluate', { expression, silent: true, returnByValue: true }, (_error, answer) => {
      session.disconnect();
      then?.(answer?.result?.value);
    });
  };
  let signals = 0;
  const end = (name) => {
    call("stop('" + name + "')");
    setTimeout(() => {
      require('node:fs').writeSync(2, 'stopped   by ' + name + ', while something ran that could not be ended otherwise\\n');
      process.kill(process.pid, 'SIGKILL');
    }, ${PATIENCE_MS.first});
  };
  const hear = (name) => {
    signals += 1;
    const patience = Atomics.load(duty, ${LISTENS}) === 0 ? 0 : signals === 1 ? ${PATIENCE_MS.first} : ${PATIENCE_MS.other};
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
    // A Node without it: signals are heard when the event loop turns.
  }
  let isAsked = false;
  setInterval(() => {
    if (isAsked || process.memoryUsage.rss() < ${HEAP.looked} * heapLimit) return;
    isAsked = true;
    call('look()', (pauseMs) => setTimeout(() => (isAsked = false), pauseMs ?? 0));
  }, 20);
`;

/** Watches over the command from another thread, which starts now. */
export function startSentinel(): void {
  const numbers = Object.fromEntries(
    Object.keys(EXIT_CODES).map((name) => [name, constants.signals[name as StopSignal]]),
  );
  Object.defineProperty(globalThis, Symbol.for('culprit.sentinel'), { value: { stop, look } });
  startThread({ program, data: { duty, numbers, heapLimit: heapLimit() } });
}

/** The command hears signals itself from now on. */
export const listensItself = (): void => void Atomics.store(duty, LISTENS, 1);

/** It has heard one. */
export const heardSignal = (): void => void Atomics.add(duty, HEARD, 1);

/** The command did not hear a signal: something that runs keeps it from turning to it. */
function stop(name: StopSignal): void {
  const who = whoRuns();
  // From here on it is us who print, and not the system.
  codeWasEnded();
  complain(labelled('stopped', who === undefined ? `by ${name}` : `by ${name}, while ${who} ran`, style.bad));
  endQuietly(EXIT_CODES[name]);
}

/** Ends the command where the heap is nearly full, before V8 does so without saying whose code it was. Else says when to look again. */
function look(): number {
  if (share() < HEAP.suspect) return LOOK_MS;
  const startedMs = performance.now();
  collectGarbage();
  if (share() < HEAP.full) return PARTS * (performance.now() - startedMs);
  const full = new HeapFull(heapLimit(), whoRuns());
  codeWasEnded();
  endQuietly(reportError(full));
}

function share(): number {
  return getHeapStatistics().used_heap_size / heapLimit();
}

/** What V8 adds to the limit for young objects: no old one can have it. */
const YOUNG_BYTES = 48 * 2 ** 20;

/** The memory that old objects may have. */
const heapLimit = (): number => getHeapStatistics().heap_size_limit - YOUNG_BYTES;

/** V8 has this function from the moment at which it is asked to. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

/** A debugger is connected, and Node would tell people that it waits for it. */
function endQuietly(exitCode: number): never {
  closeSync(2);
  openSync(devNull, 'w');
  endNow(exitCode);
}

import { openSync, closeSync } from 'node:fs';
import { constants, devNull } from 'node:os';
import { codeWasEnded } from '../../kernel/user-code/async-code.ts';
import { startThread } from '../../kernel/user-code/watchdog.ts';
import { endNow, EXIT_CODES, type StopSignal } from './exit-code.ts';
import { complain, labeled } from './output.ts';
import { whoRuns } from './report-error.ts';
import { errorStyle as style } from './style.ts';

/** What both threads see: how many signals this one has heard, and whether it listens. */
const HEARD = 0;
const LISTENS = 1;
const duty = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));

/**
 * How long the command may take until it hears a signal, in milliseconds: the first one, and any other. It pauses every 50 ms to hear
 * one; where the machine is busy, a pause may come a second later.
 */
const PATIENCE_MS = { first: 3_000, other: 300 };

/** How long code that was interrupted may take to end. */
const END_MS = 1_000;

/**
 * Runs in the thread that watches for hangs, where nothing that the system does can block it. Node lets only the main thread listen to
 * signals by its public functions, and hears them when its event loop turns; what it listens with works in any thread.
 * The inspector calls functions of the main thread wherever that is, also in a loop or in a regular expression.
 */
const program = `
  const { duty, numbers } = require('node:worker_threads').workerData;
  const stop = (name) => {
    const session = new (require('node:inspector').Session)();
    session.connectToMainThread();
    const expression = "globalThis[Symbol.for('culprit.sentinel')].stop('" + name + "')";
    session.post('Runtime.evaluate', { expression, silent: true }, () => session.disconnect());
  };
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
`;

/** Watches over the command from another thread, which starts now. */
export function startSentinel(): void {
  const numbers = Object.fromEntries(
    Object.keys(EXIT_CODES).map((name) => [name, constants.signals[name as StopSignal]]),
  );
  Object.defineProperty(globalThis, Symbol.for('culprit.sentinel'), { value: { stop } });
  startThread({ program, data: { duty, numbers } });
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
  complain(labeled('stopped', who === undefined ? `by ${name}` : `by ${name}, while ${who} ran`, style.bad));
  endQuietly(EXIT_CODES[name]);
}

/** A debugger is connected, and Node would tell people that it waits for it. */
function endQuietly(exitCode: number): never {
  closeSync(2);
  openSync(devNull, 'w');
  endNow(exitCode);
}

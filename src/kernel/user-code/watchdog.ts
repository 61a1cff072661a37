import { isMainThread, Worker } from 'node:worker_threads';
import { codeWasEnded } from './async-code.ts';
import { countOwn } from './busy.ts';
import { emptyAsyncStack } from './async-stack.ts';
import { afterEnd, endInterruptedCode, interruptsCode } from './ending.ts';
import { TimedOut } from './time-limit.ts';
import { globals } from './timed-script.ts';

/** The name under which the other thread finds the function that ends code of this one. */
const END_KEY = 'culprit.endIfItHangs';

/** Memory that both threads see: a count that moves while all is well. */
const BEAT = 0;
/** How long it may stand still (0: there is no watch), and the CPU time after which it has hung (0: any). */
const LIMIT_MS = 1;
const CPU_BOUND_MS = 2;
/** Whose code runs, who was bitten last, and what that one had had: in milliseconds, -1 where that is unknown. */
const RUNNING = 3;
const BITTEN = 4;
const WALL_SPENT_MS = 5;
const CPU_SPENT_MS = 6;
const DELAY_SPENT_MS = 7;
/** How many watches there have been: the number of each is its own. */
const WATCHES = 8;
const LENGTH = 9;

/**
 * Runs in a thread of its own, where the loop that never yields does not stop it. The inspector is the one way in Node
 * to interrupt another thread. On Linux, the CPU time of that thread can be read from outside.
 */
const program = `
  const { memory } = require('node:worker_threads').workerData;
  const { readFileSync } = require('node:fs');
  const connect = () => {
    const session = new (require('node:inspector').Session)();
    session.connectToMainThread();
    return session;
  };
  // The session that waits for a full heap, if there is one.
  let heapSession;
  // Node never comes back if V8 pauses for a full heap while Node dispatches a message: meanwhile V8 must not pause.
  const callMain = (expression) => {
    const session = heapSession ?? connect();
    if (heapSession !== undefined) session.post('Debugger.disable');
    session.post('Runtime.evaluate', { expression, silent: true });
    if (heapSession !== undefined) pauseWhereFull();
    // Node tells people to wait for the debugger where a process exits with one connected.
    else session.disconnect();
  };
  const pauseWhereFull = () => {
    heapSession.post('Debugger.enable');
    // Statements of the system that call for a debugger are not for this one.
    heapSession.post('Debugger.setSkipAllPauses', { skip: true });
  };
  const folder = '/proc/self/task/' + process.pid + '/';
  const unknown = [NaN, NaN];
  const time = () => {
    try {
      return readFileSync(folder + 'schedstat', 'latin1').split(' ', 2).map((ns) => Number(ns) / 1e6);
    } catch {
      return unknown;
    }
  };
  // How long it waits for a CPU is only written down when it gets one. Until then, its state tells.
  const isReady = () => {
    try {
      return / R /.test(readFileSync(folder + 'stat', 'latin1'));
    } catch {
      return false;
    }
  };
  const told = (ms) => (Number.isNaN(ms) ? -1 : Math.floor(ms));
  let beat = -1;
  let since = 0;
  let before = unknown;
  let looks = 0;
  let ready = 0;
  setInterval(() => {
    const limit = Atomics.load(memory, ${LIMIT_MS});
    const bound = Atomics.load(memory, ${CPU_BOUND_MS});
    const seen = Atomics.load(memory, ${BEAT});
    const now = Date.now();
    const after = bound === 0 ? unknown : time();
    if (limit === 0 || seen !== beat) [beat, since, before, looks, ready] = [seen, now, after, 0, 0];
    else {
      looks += 1;
      if (bound !== 0 && isReady()) ready += 1;
      const [cpu, known] = after.map((ms, at) => ms - before[at]);
      const delay = Math.max(known, ((now - since) * ready) / looks - cpu);
      if (now - since <= limit && !(cpu >= bound + 1)) return;
      Atomics.store(memory, ${WALL_SPENT_MS}, now - since);
      Atomics.store(memory, ${CPU_SPENT_MS}, told(cpu));
      Atomics.store(memory, ${DELAY_SPENT_MS}, told(delay));
      [since, before] = [now, after];
      callMain("globalThis[Symbol.for('${END_KEY}')]?.(" + seen + ", " + Atomics.load(memory, ${RUNNING}) + ")");
    }
  }, 20);
`;

/**
 * How often a thread shows that it is alive. Where code was ended, this is also the first chance to empty the stack of async contexts:
 * it has to come before any other task of the event loop, and what is due first comes first.
 */
const PULSE_MS = 2;

/** Where the memory is kept that all watches of this process share, whichever of Jest's test files they belong to. */
const KEY = Symbol.for('culprit.watchdog');

/**
 * Ends the code that runs if it is the code that the other thread saw hanging. On a busy machine this is called so late that
 * that code may have returned: then other code runs, of culprit, of a test runner or of Node.
 */
function endIfItHangs(beat: number, watch: number): void {
  const shared = globals[KEY] as Int32Array;
  const isSame = shared[BEAT] === beat && shared[RUNNING] === watch && shared[LIMIT_MS] !== 0;
  if (!isSame || !interruptsCode()) return;
  shared[BITTEN] = watch;
  endInterruptedCode();
}

/** The memory that another thread watches this one by. */
let memory: Int32Array | undefined;

/** Memory to watch another thread by. */
export const watchMemory = (): Int32Array =>
  new Int32Array(new SharedArrayBuffer(LENGTH * Int32Array.BYTES_PER_ELEMENT));

/** From here on, the thread that gave us the memory watches us, by `hangIn`. */
export function watchedBy(given: Int32Array): void {
  memory = given;
}

/** Says, each time it is asked, whether the thread with that memory has been hanging for longer than it may. */
export function hangIn(shared: Int32Array): () => boolean {
  let beat = -1;
  let since = 0;
  return () => {
    const limit = Atomics.load(shared, LIMIT_MS);
    const seen = Atomics.load(shared, BEAT);
    if (limit === 0 || seen !== beat) [beat, since] = [seen, performance.now()];
    return limit > 0 && performance.now() - since > limit;
  };
}

/** How long code may run. */
export interface TimeLimits {
  readonly limitMs: number;
  /** The CPU time that it may have. */
  readonly boundMs: number;
  /** Whether its CPU time is measured: then it is ended as soon as it has had that. */
  readonly isMeasured: boolean;
}

/** Watches over one execution. Only one of a thread's runs at a time: see `Turns`. */
export interface Watch {
  /** Says that its code is about to run, or has got somewhere. Throws `TimedOut` if it was ended. */
  beat(): void;
  /** Says that its code does not run until the next beat. */
  rest(): void;
  /** Lets the process end although it watches. */
  unref(): void;
  end(): void;
}

/**
 * Ends code that does not return although it runs where no guard can reach it: code after an `await`. Code that waited for
 * it may continue, or never settle: `beat` throws in the first case, `onHang` is called in the second. It works in the
 * main thread only. Other threads show their watcher that they are alive: the watcher can end the thread, but not its
 * code. Without a watcher, such code hangs.
 */
export function watchForHangs(limits: TimeLimits, onHang: (error: TimedOut) => void): Watch {
  if (!isMainThread && memory === undefined) return { beat() {}, rest() {}, unref() {}, end() {} };
  // In the main thread, the second thread starts with the first watch.
  const shared = memory ?? ((globals[KEY] ?? startThread()) as Int32Array);
  globals[Symbol.for(END_KEY)] = endIfItHangs;
  const self = Atomics.add(shared, WATCHES, 1) + 1;
  // Kept: code that waited for ended code may continue after other code was ended, and must still be refused.
  let bite: TimedOut | undefined;
  const timedOut = (): TimedOut | undefined => {
    if (bite !== undefined || Atomics.load(shared, BITTEN) !== self) return bite;
    afterEnd();
    codeWasEnded();
    emptyAsyncStack();
    bite = biteIn(shared, limits.boundMs);
    return bite;
  };
  const move = (): void => {
    shared[BEAT] = ((shared[BEAT] as number) + 1) | 0;
  };
  const rest = (): void => {
    if (Atomics.load(shared, RUNNING) === self) Atomics.store(shared, LIMIT_MS, 0);
  };
  // A thread that waits for something is not one that hangs: timers beat too.
  let isOver = false;
  countOwn('Timeout', 1);
  const pulse = setInterval(() => {
    move();
    const error = timedOut();
    if (error !== undefined) onHang(error);
  }, PULSE_MS);
  return {
    beat() {
      move();
      const error = timedOut();
      if (error !== undefined) throw error;
      Atomics.store(shared, RUNNING, self);
      Atomics.store(shared, CPU_BOUND_MS, limits.isMeasured ? limits.boundMs : 0);
      Atomics.store(shared, LIMIT_MS, limits.limitMs);
    },
    rest,
    unref: () => void pulse.unref(),
    end() {
      if (isOver) return;
      isOver = true;
      // Code may have been ended just when it returned: then nothing else notices it.
      timedOut();
      clearInterval(pulse);
      countOwn('Timeout', -1);
      rest();
    },
  };
}

function biteIn(shared: Int32Array, boundMs: number): TimedOut {
  const [cpuMs, delayMs] = [CPU_SPENT_MS, DELAY_SPENT_MS].map((at) => Atomics.load(shared, at));
  return new TimedOut({
    wallMs: Atomics.load(shared, WALL_SPENT_MS),
    cpuMs: known(cpuMs),
    delayMs: known(delayMs),
    boundMs,
  });
}

const known = (ms: number | undefined): number | undefined => (ms === undefined || ms < 0 ? undefined : ms);

/** Further work of the thread: a program, and its argument. */
export interface SecondDuty {
  readonly program: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Starts the thread at once, with something else to do beside. It must not have been started before. */
export function startThread(duty: SecondDuty = { program: '', data: {} }): Int32Array {
  const shared = watchMemory();
  globals[KEY] = shared;
  const workerData = { memory: shared, ...duty.data };
  // Without the options of this process: hooks for modules make a new thread wait for this one, which may hang by then.
  new Worker(`${program}\n{${duty.program}}`, { eval: true, workerData, execArgv: [], env: {} }).unref();
  return shared;
}

import { promiseHooks } from 'node:v8';
import { busyNow, newlyBusyWith, type Busy } from './busy.ts';
import { globals } from './timed-script.ts';
import type { LiveWorld } from '../live-world.ts';
import type { CodeLeftBehind, Process } from '../process.ts';
import { OutsideEvent } from '../errors.ts';
import { claimRejections, ignoreRejections } from './rejections.ts';

/**
 * The code that handlers of a process start in one of its lives and that continues later, whether they returned its promise
 * or not. V8 reports every promise that is made, so a promise that is made while a handler runs, or while code runs that a
 * handler left behind, belongs to that process. Handlers that make no promise pay nothing.
 *
 * Hooks of promises, and not Node's async hooks: those keep a stack, and Node aborts if code is ended in the middle.
 */
class AsyncCode implements CodeLeftBehind {
  /** How many reactions of promises and queued callbacks have not run. */
  waiting = 0;
  /** The resources that kept Node busy before the first promise of the event under way. */
  private before: Busy | undefined;
  private readonly life: number;

  constructor(
    readonly world: LiveWorld,
    readonly process: Process,
  ) {
    this.life = process.life;
  }

  /** Whether its process has crashed or stopped since: then it has nothing to say any more. */
  get isOver(): boolean {
    return this.process.life !== this.life;
  }

  /** It makes something asynchronous: the event under way is over when that has run, or waits. */
  begin(): void {
    this.world.isAsync = true;
    this.before ??= busyNow();
  }

  end(): string | undefined {
    const { before } = this;
    this.before = undefined;
    return before === undefined || this.waiting === 0 ? undefined : newlyBusyWith(before, busyNow());
  }
}

const CODE = Symbol('culprit.code');
const WAITS = Symbol('culprit.waits');

/** A promise, and the code that it belongs to. */
type Followed = Promise<unknown> & { [CODE]?: AsyncCode; [WAITS]?: boolean };

/** The world in which a handler was called last. It is set for another world only: V8 notes every object that is put into a variable. */
let latest: LiveWorld | undefined;
/** Whether that handler runs right now. */
let isHandling = false;
/** The code that runs right now. */
let author: AsyncCode | undefined;

/** A handler of that world is about to be called. */
export function enterHandler(world: LiveWorld): void {
  if (latest !== world) latest = world;
  isHandling = true;
}

/** The event that happened last in any execution of this thread, in words; undefined if there was none. */
export function latestEvent(): string | undefined {
  const { last, length = 0 } = latest ?? {};
  return last && `event ${length} of ${last.process}`;
}

/** It has returned, or thrown. */
export function leaveHandler(): void {
  isHandling = false;
}

/** Whose code was ended in the middle last. */
let ended: Running | undefined;

/** Notes whose code runs, when it is about to be ended: later, code of others may run. */
export function noteEnded(): void {
  ended = runningNow() ?? ended;
}

/** How often code was ended. Callbacks that were queued before the last time do not run any more. */
let endings = 0;

/** The running code was ended in the middle: it does not continue. */
export function codeWasEnded(): void {
  noteEnded();
  endings += 1;
  isHandling = false;
  author = undefined;
  systemCalls = 0;
}

/** The code that runs right now: a handler, or asynchronous code that it started. */
type Running = Pick<AsyncCode, 'world' | 'process'> & Partial<Pick<AsyncCode, 'isOver'>>;

/** The handler that runs right now, or asynchronous code of one; undefined if neither runs. */
export function runningNow(): Running | undefined {
  const world = isHandling ? latest : undefined;
  const process = world?.running;
  return author ?? (world === undefined || process === undefined ? undefined : { world, process });
}

/** The code that a clock has just ended, and whose it was; undefined where it was no handler's. Forgotten then. */
export function takeEndedCode(): Running | undefined {
  const taken = ended;
  ended = undefined;
  return taken;
}

/** How many calls are under way in which nothing runs but the system and us. */
let systemCalls = 0;

/** Calls a function that may run any function of a system, also one that is no handler. */
export function asSystem<T>(call: () => T): T {
  const before = systemCalls++;
  try {
    return call();
  } finally {
    systemCalls = before;
  }
}

/** Calls a function of our caller while the system runs. */
export function asCaller<T>(call: () => T): T {
  const before = systemCalls;
  systemCalls = 0;
  try {
    return call();
  } finally {
    systemCalls = before;
  }
}

/** Whether nothing but the system and us has had a chance to run since the call began. */
export const isWithinSystem = (): boolean => systemCalls > 0;

/** Whether the code that runs now is the system's. */
export const isSystemRunning = (): boolean => systemCalls > 0 || runningNow() !== undefined;

function authorNow(): AsyncCode | undefined {
  if (author !== undefined || !isHandling || latest === undefined) return author;
  const process = latest.running;
  if (process === undefined) return undefined;
  return (process.code ??= new AsyncCode(latest, process)) as AsyncCode;
}

/** Code of a process continues: an event of that process must be under way. */
function resume(code: AsyncCode): void {
  author = code;
  const { world, process, isOver } = code;
  world.hasRun = true;
  if (!isOver && world.running !== process) world.woken ??= new OutsideEvent(process.name, 'continued its code');
}

const hooks = {
  init(promise: Followed, parent: Promise<unknown> | undefined): void {
    const code = authorNow();
    if (code === undefined) return;
    code.begin();
    promise[CODE] = code;
    // It waits for its parent.
    if (parent !== undefined) {
      promise[WAITS] = true;
      code.waiting += 1;
    }
  },
  before(promise: Followed): void {
    author = undefined;
    const code = promise[CODE];
    if (code === undefined) return;
    waitsNoMore(promise, code);
    resume(code);
  },
  after(): void {
    author = undefined;
  },
  settled(promise: Followed): void {
    const code = promise[CODE];
    if (code === undefined) return;
    // A handler may settle a promise of an earlier event and make none itself: the code that awaited it is part of this event.
    code.world.isAsync = true;
    waitsNoMore(promise, code);
  },
};

function waitsNoMore(promise: Followed, code: AsyncCode): void {
  if (promise[WAITS] !== true) return;
  promise[WAITS] = false;
  code.waiting -= 1;
}

type Enqueue = (callback: (...args: unknown[]) => void, ...args: unknown[]) => void;

/** Where a stand-in has the function that it stands in for, also if it belongs to another copy of this module. */
const ORIGINAL = Symbol.for('culprit.original');

/** A function that queues callbacks without a promise. While it is followed, a replacement notes the code that each callback belongs to. */
class Queue<K extends string> {
  private original: Enqueue | undefined;

  constructor(
    private readonly holder: Record<K, Enqueue>,
    private readonly name: K,
  ) {}

  /** Test runners replace it, too, and put back the function that they found. */
  follow(): void {
    const current: Enqueue & { readonly [ORIGINAL]?: Enqueue } = this.holder[this.name];
    if (current === this.standIn) return;
    // The stand-ins of two copies of culprit in one process would call each other forever.
    this.original = current[ORIGINAL] ?? current;
    this.holder[this.name] = Object.assign(this.standIn, { [ORIGINAL]: this.original });
  }

  leave(): void {
    if (this.original !== undefined && this.holder[this.name] === this.standIn) this.holder[this.name] = this.original;
  }

  private readonly standIn: Enqueue = (callback, ...args) => {
    const code = typeof callback === 'function' ? authorNow() : undefined;
    this.original?.(code === undefined ? callback : belonging(code, callback), ...args);
  };
}

const microtasks = new Queue(globals as never, 'queueMicrotask');
const ticks = new Queue(globals['process' as never] as never, 'nextTick');

function belonging(code: AsyncCode, callback: (...args: unknown[]) => void): (...args: unknown[]) => void {
  code.begin();
  code.waiting += 1;
  code.world.isTicked = true;
  const queuedAfter = endings;
  return (...args) => {
    code.waiting -= 1;
    // V8 forgets the microtasks of code that is ended, but Node keeps its ticks. All that is queued then is code of one execution,
    // because executions take turns.
    if (queuedAfter !== endings) return;
    resume(code);
    try {
      callback(...args);
    } catch (error) {
      claimError(code, error);
    } finally {
      author = undefined;
    }
  };
}

/** How long nothing must happen before the promises of this thread are left alone again. */
const IDLE_MS = 50;
let unfollow: (() => void) | undefined;
let isUsed = false;

/** A further change of globals while code is followed, which is undone when no event has happened for a while. */
interface Follower {
  follow(): void;
  leave(): void;
}

const followers: Follower[] = [];

export const alsoFollow = (follower: Follower): void => void followers.push(follower);

/** Call this when an execution begins, and not at every event: looking up a global takes longer than many events do. */
export function followQueues(): void {
  microtasks.follow();
  ticks.follow();
}

/** From here on, asynchronous code is followed, until no event has happened for a while. */
export function followAsyncCode(): void {
  isUsed = true;
  if (unfollow === undefined) beginToFollow();
}

function beginToFollow(): void {
  followQueues();
  for (const follower of followers) follower.follow();
  const unhook = promiseHooks.createHook(hooks) as () => void;
  claimRejections(claim);
  unfollow = () => {
    unhook();
    microtasks.leave();
    ticks.leave();
    ignoreRejections(claim);
    for (const follower of followers) follower.leave();
    unfollow = undefined;
  };
  stopWhenIdle();
}

function stopWhenIdle(): void {
  setTimeout(() => {
    if (!isUsed) {
      unfollow?.();
      return;
    }
    isUsed = false;
    stopWhenIdle();
  }, IDLE_MS).unref();
}

/** A promise of a process was rejected, and no code of it handles that: it is an exception like any other. */
function claim(promise: object, error: unknown): boolean {
  const code = (promise as Followed)[CODE];
  if (code !== undefined) claimError(code, error);
  return code !== undefined;
}

function claimError({ isOver, world, process }: AsyncCode, error: unknown): void {
  if (!isOver) world.thrown ??= { process, error };
}

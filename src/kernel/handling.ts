import { nextTick } from 'node:process';
import { digestNumber, mixHi, mixLo } from '../trace/digest.ts';
import type { Event } from '../trace/event.ts';
import { CulpritError, isOf } from '../error.ts';
import { enterHandler, leaveHandler } from './user-code/async-code.ts';
import type { LiveWorld } from './live-world.ts';
import { reportEnd } from './network/link-reports.ts';
import { dropAtCrash } from './network/in-flight.ts';
import type { Handler } from './operation.ts';
import type { Process } from './process.ts';
import { NoReaction, OutsideEvent, RealWait } from './errors.ts';
import { endLife, takeView } from './opaque-state.ts';
import { examineState } from './user-code/examine.ts';
import { notify } from './requests.ts';
import { eventLoopTurned } from './user-code/turns.ts';

/** An event of a process begins: it is the cause of everything that the process does from here on. */
export function begin(world: LiveWorld, process: Process, event: Event): void {
  world.recording.events.push(event);
  process.absorb(event.hi, event.lo);
  if (world.declaration.timers !== 'any') {
    // Handlers can read the common clock, so its time is part of the history of the process.
    const now = digestNumber(world.nowMs);
    process.hi = mixHi(process.hi, now.hi);
    process.lo = mixLo(process.lo, now.lo);
  }
  world.failure = undefined;
  world.running = process;
  // The promises of a process that does things by itself are its own.
  if (process.behavior.host?.controlled !== false) enterHandler(world);
}

/** A handler returned: the event is over, or the handler is suspended if it returned a promise. */
export function finish(world: LiveWorld, process: Process, handler: Handler, result: unknown): void | Promise<void> {
  leaveHandler();
  if (result !== undefined && isPromise(result)) return suspend(world, process, handler, result, undefined);
  handler.running = false;
  // The handler may have started asynchronous code without returning a promise: that is part of the event, too.
  if (world.isAsync) return settled(world, process);
  world.running = undefined;
  takeState(world, process);
}

/** The handler of an event waits for a promise; `onValue` takes its value. */
export function suspend(
  world: LiveWorld,
  process: Process,
  handler: Handler,
  promise: PromiseLike<unknown>,
  onValue: ((value: unknown) => void) | undefined,
): Promise<void> {
  if (process.behavior.host?.controlled === false) return reacted(world, process, handler, promise, onValue);
  const { life } = process;
  leaveHandler();
  process.suspended += 1;
  process.suspendedAt = world.length - 1;
  world.ready.processChanged(process);
  const ended = (settle: () => void): void => {
    if (process.life !== life) return;
    if (world.running !== process) world.woken = new OutsideEvent(process.name, 'continued a handler');
    process.suspended -= 1;
    handler.running = false;
    world.ready.processChanged(process);
    try {
      settle();
    } catch (error) {
      world.thrown ??= { process, error };
    }
  };
  promise.then(
    (value) => ended(() => onValue?.(value)),
    (error: unknown) =>
      ended(() => {
        world.thrown ??= { process, error };
      }),
  );
  return settled(world, process);
}

/** How long a process that does things by itself may take to react to an event. */
const REACTION_MS = 60_000;

/** Such a process has finished its reaction when the promise says so: no event of ours completes it. */
async function reacted(
  world: LiveWorld,
  process: Process,
  handler: Handler,
  promise: PromiseLike<unknown>,
  onValue: ((value: unknown) => void) | undefined,
): Promise<void> {
  world.isUnderWay = true;
  const { length } = world;
  const { accepts } = process;
  try {
    const value = await inTime(world, promise, () => new NoReaction(process.name, length, REACTION_MS));
    onValue?.(value);
    world.running = undefined;
    takeState(world, process);
  } catch (error) {
    await fail(world, process, error);
  } finally {
    handler.running = false;
    world.isUnderWay = false;
    // All channels to a process that changed are looked at, and a controller has one for each of its switches.
    if (process.accepts !== accepts) world.ready.processChanged(process);
  }
}

/** Waits on the clock of the session, so that a process on a fake clock can react after a while. */
async function inTime(
  { uncontrolled }: LiveWorld,
  promise: PromiseLike<unknown>,
  late: () => NoReaction,
): Promise<unknown> {
  let isSettled = false;
  await uncontrolled?.clock.wait(REACTION_MS, (wake) => {
    const settle = (): void => {
      isSettled = true;
      wake();
    };
    promise.then(settle, settle);
  });
  if (!isSettled) throw late();
  return await promise;
}

/**
 * Lets code run until all of it has returned or awaits an operation that is not done. Then the event loop has a turn: only
 * then Node reports unhandled rejections.
 */
export async function settled(world: LiveWorld, process: Process): Promise<void> {
  leaveHandler();
  world.mayNotBeCopyable(process);
  world.isUnderWay = true;
  do {
    world.hasRun = false;
    await microtasksDrained();
    // Ticks take turns with ours: only when none of their code runs any more, nothing is left.
  } while (world.isTicked && world.hasRun);
  world.running = undefined;
  world.isAsync = false;
  world.isTicked = false;
  refuseRealWaits(world, process);
  await eventLoopTurned();
  world.isUnderWay = false;
  const { thrown } = world;
  world.thrown = undefined;
  if (thrown !== undefined) await fail(world, thrown.process, thrown.error);
  else takeState(world, process);
}

/** What the event left: a state to examine, or an object to take the view of. */
function takeState(world: LiveWorld, process: Process): void {
  if (process.subject === undefined) examineState(world, process);
  else takeView(world, process);
}

/** Refuses handlers that wait for real timers or requests: no execution could be repeated. */
function refuseRealWaits({ length, thrown }: LiveWorld, { name, code }: Process): void {
  const real = code?.end();
  if (real !== undefined && thrown === undefined) throw new RealWait(name, length, real);
}

/**
 * Promise reactions run as microtasks, and may queue more. Node runs `nextTick` callbacks queued by a microtask when no
 * microtask is left: that is the moment when every handler waits. One hop first, to be in a microtask at all.
 */
async function microtasksDrained(): Promise<void> {
  await Promise.resolve();
  await new Promise<void>((resolve) => nextTick(resolve));
}

/** An uncaught exception crashes the process it happened in. Our own errors are about the system, not of it. */
export function fail(world: LiveWorld, failed: Process, error: unknown): void | Promise<void> {
  leaveHandler();
  world.running = undefined;
  if (isOf(error, CulpritError)) throw error;
  world.failure = { process: failed.name, error };
  const closing = endLife(failed, 'crashed');
  world.ready.processChanged(failed);
  dropAtCrash(world, failed.at);
  notify(world, failed);
  reportEnd(world, failed);
  return closing;
}

export const isPromise = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';

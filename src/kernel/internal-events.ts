import type { Complete, Deliver, Fire, Internal, Return, Spawn } from '../trace/event.ts';
import type { InFlight } from './network/channel.ts';
import { HandlerContext } from './context.ts';
import { copyAgain } from './data/copy.ts';
import { leaveHandler } from './user-code/async-code.ts';
import { begin, fail, finish, settled } from './handling.ts';
import { runStart } from './lifecycle.ts';
import type { LiveWorld } from './live-world.ts';
import { take } from './network/in-flight.ts';
import type { Operation } from './operation.ts';
import type { Process } from './process.ts';
import { passTime, removeTimer, setTimer } from './timers.ts';

/** Makes an enabled event happen; `readyAt` is its place in the ready list. */
export function performInternal(world: LiveWorld, event: Internal, readyAt: number): void | Promise<void> {
  switch (event.kind) {
    case 'deliver':
      return deliver(world, event as Deliver & InFlight, readyAt);
    case 'fire':
      return fire(world, event, readyAt);
    case 'complete':
      return complete(world, event);
    case 'return':
      return performReturn(world, event as Return & InFlight, readyAt);
    case 'spawn':
      return performSpawn(world, event);
  }
}

function deliver(world: LiveWorld, event: Deliver & InFlight, readyAt: number): void | Promise<void> {
  take(world, event, readyAt);
  const process = world.own(event.at);
  begin(world, process, event);
  if (event.sentMs > process.clockMs) process.clockMs = event.sentMs;
  if (event.reply !== 0) return answer(world, process, event);
  return receive(world, process, event);
}

function receive(world: LiveWorld, process: Process, event: Deliver): void | Promise<void> {
  const context = new HandlerContext(world, process, event.from, event);
  // The receiver may keep and change the message. The recording and forks must not see that.
  const message = copyAgain(event.message);
  try {
    return finish(world, process, context, process.behavior.receive(process.handled, message, context));
  } catch (error) {
    return fail(world, process, error);
  }
}

/** An ask is answered. The handler that awaits the answer continues; if none does, `receive` is called. A late answer changes nothing. */
function answer(world: LiveWorld, process: Process, event: Deliver): void | Promise<void> {
  if (!settleAsk(world, process, event.reply)) return over(world);
  const operation = process.release(event.reply);
  if (operation?.isForHandler) {
    operation.succeed(copyAgain(event.message));
    return settled(world, process);
  }
  return receive(world, process, event);
}

/** Whether the ask was still open. Its time limit is removed, too. */
function settleAsk(world: LiveWorld, process: Process, request: number): boolean {
  if (!process.asked.includes(request)) return false;
  closeAsk(world, process, request);
  const limit = process.operations.find((operation) => operation.request === request);
  if (limit !== undefined) removeOperation(world, process, limit);
  return true;
}

function closeAsk(world: LiveWorld, process: Process, request: number): void {
  process.asked = process.asked.filter((open) => open !== request);
  world.ready.askClosed(process);
}

function performReturn(world: LiveWorld, event: Return & InFlight, readyAt: number): void | Promise<void> {
  take(world, event, readyAt);
  const process = world.own(event.at);
  begin(world, process, event);
  if (event.ask !== 0 && settleAsk(world, process, event.ask)) {
    const operation = process.release(event.ask);
    if (operation?.isForHandler)
      return failOperation(world, process, operation, `${event.to} is not there to be asked`);
  }
  const message = copyAgain(event.message);
  return call(world, process, (context) => process.behavior.returned?.(process.handled, message, event.to, context));
}

function fire(world: LiveWorld, event: Fire, readyAt: number): void | Promise<void> {
  const process = world.own(world.place(event.process) as number);
  world.ready.timerTaken(world, process, readyAt);
  removeTimer(process, event);
  passTime(world, process, event.deadlineMs);
  begin(world, process, event);
  if (event.everyMs > 0) setTimer(world, process, event.timer, event.everyMs, event.everyMs);
  return call(world, process, (context) => process.behavior.timer?.(process.handled, event.timer, context));
}

function complete(world: LiveWorld, event: Complete): void | Promise<void> {
  const process = world.own(world.place(event.process) as number);
  removeOperation(world, process, event);
  if (event.operation === 'sleep' || event.operation === 'timeout') passTime(world, process, event.deadlineMs);
  begin(world, process, event);
  if (event.operation === 'timeout') return expire(world, process, event);
  if (event.operation === 'write') process.disk.set(event.key, event.value);
  const operation = process.release(event.request);
  operation?.succeed(event.operation === 'read' ? copyAgain(process.disk.get(event.key)) : undefined);
  if (operation?.isForHandler) return settled(world, process);
  if (event.operation !== 'write' || !process.up) return over(world);
  return call(world, process, (context) => process.behavior.wrote?.(process.handled, event.key, context));
}

/** Removes a request. The next request for the same key may happen now. */
function removeOperation(world: LiveWorld, process: Process, event: Complete): void {
  process.ownOperations().splice(process.operations.indexOf(event), 1);
  world.ready.operationRemoved(process);
}

function expire(world: LiveWorld, process: Process, event: Complete): void | Promise<void> {
  closeAsk(world, process, event.request);
  const operation = process.release(event.request);
  if (!operation?.isForHandler) return over(world);
  return failOperation(world, process, operation, `${event.key} did not answer in time`);
}

function failOperation(world: LiveWorld, process: Process, operation: Operation, why: string): Promise<void> {
  operation.fail(new Error(why));
  return settled(world, process);
}

function performSpawn(world: LiveWorld, event: Spawn): void | Promise<void> {
  world.ownSpawns().delete(event.process);
  world.ready.spawnTaken(event);
  return runStart(world, world.own(world.place(event.process) as number), event);
}

/** No handler is called for the event. */
function over(world: LiveWorld): void {
  leaveHandler();
  world.running = undefined;
}

/** Runs a handler for an event that is no message. */
function call(world: LiveWorld, process: Process, handler: (context: HandlerContext) => unknown): void | Promise<void> {
  try {
    const context = new HandlerContext(world, process, process.name);
    return finish(world, process, context, handler(context));
  } catch (error) {
    return fail(world, process, error);
  }
}

import type { Event } from '../trace/event.ts';
import { leaveHandler } from './user-code/async-code.ts';
import { HandlerContext } from './context.ts';
import { begin, fail, finish, isPromise, suspend } from './handling.ts';
import { handedOver } from './user-code/examine.ts';
import type { LiveWorld } from './live-world.ts';
import { reportEnd, reportReturn } from './network/link-reports.ts';
import { dropAtCrash, bounceInFlight } from './network/in-flight.ts';
import { endLife } from './opaque-state.ts';
import { notify } from './requests.ts';
import type { Process } from './process.ts';
import { IoContext } from './uncontrolled/io.ts';
import { BadState } from './errors.ts';

/** Runs `start`: the process is up when it returns, and takes no messages before. */
export function runStart(world: LiveWorld, process: Process, event: Event): void | Promise<void> {
  process.status = 'starting';
  begin(world, process, event);
  world.ready.processChanged(process);
  try {
    const context = contextOf(world, process);
    const state = process.behavior.start(context);
    if (isPromise(state)) return suspend(world, process, context, state, (value) => becomeUp(world, process, value));
    becomeUp(world, process, state);
    return finish(world, process, context, undefined);
  } catch (error) {
    return fail(world, process, error);
  }
}

const contextOf = (world: LiveWorld, process: Process): HandlerContext =>
  world.uncontrolled !== undefined && process.behavior.host?.controlled === false
    ? new IoContext(world, process, world.uncontrolled)
    : new HandlerContext(world, process, process.name);

function becomeUp(world: LiveWorld, process: Process, state: unknown): void {
  if (typeof state !== 'object' || state === null) throw new BadState(process.name, state);
  if (process.behavior.view !== undefined) {
    process.subject = state;
    world.mayNotBeCopyable(process);
  }
  // A copy: `start` may return a constant of the module, which no execution may change.
  else process.state = handedOver(world, process, state, 'the state that start returns');
  process.status = 'up';
  world.ready.processChanged(process);
}

export function restart(
  world: LiveWorld,
  process: Process,
  event: Event & { readonly kind: 'restart' },
): void | Promise<void> {
  process.restarts += 1;
  process.isWiped = event.wiped === true;
  if (process.isWiped) process.disk.clear();
  const pending = runStart(world, process, event);
  return pending === undefined ? reportReturn(world, process) : pending.then(() => reportReturn(world, process));
}

export function crash(world: LiveWorld, process: Process, event: Event): void | Promise<void> {
  begin(world, process, event);
  const closing = endLife(process, 'crashed');
  world.ready.processChanged(process);
  dropAtCrash(world, process.at);
  notify(world, process);
  reportEnd(world, process);
  over(world);
  return closing;
}

/** Nothing happens to the process until it is resumed. Code that somebody else runs is stopped, too. */
export function setPaused(
  world: LiveWorld,
  process: Process,
  event: Event & { readonly kind: 'pause' | 'resume' },
): void | Promise<void> {
  begin(world, process, event);
  process.isPaused = event.kind === 'pause';
  world.ready.processChanged(process);
  over(world);
  const { behavior, subject } = process;
  return subject === undefined ? undefined : behavior.setPaused?.(subject, process.isPaused);
}

/** Leaves on purpose: its pending writes become durable, and its messages arrive. */
export function stop(world: LiveWorld, process: Process, event: Event): void | Promise<void> {
  begin(world, process, event);
  for (const { operation, key, value } of process.operations) if (operation === 'write') process.disk.set(key, value);
  const closing = endLife(process, 'stopped');
  world.ready.processChanged(process);
  bounceInFlight(world, process.at);
  notify(world, process);
  reportEnd(world, process);
  over(world);
  return closing;
}

function over(world: LiveWorld): void {
  leaveHandler();
  world.running = undefined;
}

import type { Complete, Internal } from '../../trace/event.ts';
import type { LiveWorld } from '../live-world.ts';
import { addDeliverable } from './network.ts';
import type { Process } from '../process.ts';
import { horizonMs, isTimed } from '../timers.ts';

/** The internal events that may happen now, brought up to date where something rare has happened. */
export function enabledIn(world: LiveWorld): readonly Internal[] {
  const { ready } = world;
  if (ready.stale) {
    ready.list = allEnabled(world);
    ready.stale = false;
  }
  return ready.list;
}

/** Everything enabled, from the world alone. In virtual time this runs at most events: it makes no closures. */
function allEnabled(world: LiveWorld): Internal[] {
  const found: Internal[] = world.births.slice();
  for (const number of world.channelsInUse()) addDeliverable(world, world.channels.at(number), found);
  const horizon = horizonMs(world);
  for (const at of world.waitingPlaces()) {
    const process = world.processes[at] as Process;
    if (process.accepts) for (const timer of process.timers) if (timer.deadlineMs <= horizon) found.push(timer);
    for (const operation of process.operations) if (mayComplete(process, operation, horizon)) found.push(operation);
  }
  return found;
}

/** Reads and writes of one key are done in the order they were asked for; a sleep ends when its time has come. */
export function mayComplete(process: Process, operation: Complete, horizon: number): boolean {
  if (isTimed(operation)) return operation.deadlineMs <= horizon;
  return process.operations.find((other) => other.key === operation.key && !isTimed(other)) === operation;
}

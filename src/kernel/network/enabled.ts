import type { Complete, Internal } from '../../trace/event.ts';
import type { Process } from '../process.ts';
import { OUTSIDE, type Channel, type InFlight } from './channel.ts';
import type { EnabledWorld } from './enabled-world.ts';
import { rulesOf } from './rules.ts';

/** Adds the messages of one channel that may be delivered now. */
export function addDeliverable(world: EnabledWorld, channel: Channel, into: Internal[]): void {
  if (channel.size === 0 || channel.cut) return;
  const receiver = world.processes[channel.at] as Process;
  if (!receiver.accepts) addAwaitedReply(world, channel, receiver, into);
  else if (isOrdered(world, channel)) addUnlessHeld(world, channel.first as InFlight, into);
  else for (const item of channel.list()) addUnlessHeld(world, item, into);
}

function addUnlessHeld(world: EnabledWorld, item: InFlight, into: Internal[]): void {
  if (!isHeld(world, item)) into.push(item);
}

/** Whether the message waits for another event, or for a time. Messages behind it on an ordered channel wait as well. */
export function isHeld({ holds, delays }: EnabledWorld, message: InFlight): boolean {
  // No closure: this is asked at most deliveries, and there are hardly ever holds.
  for (const one of holds) if (one.message === message) return true;
  for (const one of delays) if (one.message === message) return true;
  return false;
}

/**
 * A blocked process, or one that is still starting, handles nothing but the answer it waits for: messages that arrived before
 * that answer stay in its mailbox and are handled later.
 */
function addAwaitedReply(world: EnabledWorld, channel: Channel, receiver: Process, into: Internal[]): void {
  if (!receiver.runs || receiver.isPaused) return;
  const reply = channel.list().find((item) => isAwaited(item, receiver));
  if (reply !== undefined) addUnlessHeld(world, reply, into);
}

const isAwaited = (item: InFlight, receiver: Process): boolean =>
  item.kind === 'deliver' ? receiver.asked.includes(item.reply) : receiver.asked.includes(item.ask);

/** Messages of the environment, and messages that come back, are in no order; only its reports on a link are. */
export const isOrdered = (world: EnabledWorld, channel: Channel): boolean =>
  rulesOf(world, channel).order === 'fifo' && (channel.fromAt !== OUTSIDE || channel.lane !== undefined);

/** Adds the timers and operations of one process that may happen now. */
export function addDue(process: Process, horizonMs: number, into: Internal[]): void {
  if (process.isPaused) return;
  if (process.accepts) for (const timer of process.timers) if (timer.deadlineMs <= horizonMs) into.push(timer);
  for (const operation of process.operations) if (mayComplete(process, operation, horizonMs)) into.push(operation);
}

/** Reads and writes of one key complete in the order of their requests; a sleep ends when its time has come. */
export function mayComplete(process: Process, operation: Complete, horizonMs: number): boolean {
  if (isTimed(operation)) return operation.deadlineMs <= horizonMs;
  return process.operations.find((other) => other.key === operation.key && !isTimed(other)) === operation;
}

/** Whether it is done when its time has come, rather than when the disk is. */
export const isTimed = ({ operation }: Complete): boolean => operation === 'sleep' || operation === 'timeout';

/**
 * The earliest deadline in one process; infinity if it has none. Timers of a blocked or paused process do not count: they delay no
 * other process, and are overdue when it continues.
 */
export function earliestIn(process: Process): number {
  let earliest = Infinity;
  if (process.isPaused) return earliest;
  if (process.accepts) for (const { deadlineMs } of process.timers) earliest = Math.min(earliest, deadlineMs);
  for (const operation of process.operations)
    if (isTimed(operation)) earliest = Math.min(earliest, operation.deadlineMs);
  return earliest;
}

/**
 * Everything enabled, from the world alone, in order: spawns, messages by receiver, sender and lane, then timers and operations by
 * process. In a small world in virtual time this runs at most events: it makes no closures.
 */
export function allEnabled(world: EnabledWorld): Internal[] {
  const found: Internal[] = world.pendingSpawns.size === 0 ? [] : [...world.pendingSpawns.values()];
  for (const number of world.channelsInUse()) addDeliverable(world, world.channels.at(number), found);
  const horizon = horizonOf(world);
  for (const at of world.waitingPlaces()) addDue(world.processes[at] as Process, horizon, found);
  return found;
}

/** The latest deadline that may pass now. */
export function horizonOf(world: EnabledWorld): number {
  const { timers } = world.declaration;
  // Where the session has a clock, that clock decides.
  if (world.uncontrolled !== undefined) return world.nowMs;
  if (timers === 'any') return Infinity;
  let earliest = Infinity;
  for (const at of world.waitingPlaces()) earliest = Math.min(earliest, earliestIn(world.processes[at] as Process));
  return earliest + timers.skewMs;
}

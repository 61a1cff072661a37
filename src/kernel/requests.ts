import { mixHi, mixLo } from '../trace/digest.ts';
import { ENVIRONMENT, type Complete, type Deliver, type OperationKind, type Spawn } from '../trace/event.ts';
import type { InFlight } from './network/channel.ts';
import { handedOver } from './user-code/examine.ts';
import type { LiveWorld } from './live-world.ts';
import { releaseHeld, post } from './network/in-flight.ts';
import type { Process } from './process.ts';
import { UnknownProcess, TooManyGenerations } from './errors.ts';
import { clockOf } from './timers.ts';
import { named } from './uncontrolled/identity.ts';

/** The place of a process that has not joined. */
export const NOT_THERE = -1;

/** The place of the receiver of that name. Only a system with kinds may name processes that have not joined. */
export function placeOf(world: LiveWorld, name: string, who: string): number {
  const at = world.place(name);
  if (at !== undefined) return at;
  if (world.declaration.kinds.size === 0) throw new UnknownProcess(name, [...world.declaration.processes.keys()], who);
  return NOT_THERE;
}

export function send(
  world: LiveWorld,
  sender: Process,
  to: string,
  message: unknown,
  ask: number,
  reply: number,
  lane?: string,
): void {
  if (to === ENVIRONMENT) {
    world.recording.output(sender.name, handedOver(world, sender, message, 'the message to ', to));
    return;
  }
  const index = sender.made++;
  const item: Deliver & InFlight = {
    kind: 'deliver',
    process: to,
    cause: world.recording.events.length - 1,
    hi: mixHi(sender.hi, index),
    lo: mixLo(sender.lo, index),
    nth: index,
    from: sender.name,
    message: handedOver(world, sender, message, 'the message to ', to),
    ask,
    reply,
    sentMs: clockOf(world, sender),
    at: placeOf(world, to, sender.name),
    fromAt: sender.at,
  };
  // A message of the default lane has no such field: most systems have no other messages.
  post(world, named(world, lane === undefined ? item : { ...item, lane }));
}

/** Sends the notice that a process is gone, if the transport has one. */
export function notify(world: LiveWorld, gone: Process): void {
  const { notice } = world.declaration.transport.onCrash;
  if (notice === undefined) return;
  for (const { name, runs } of world.processes) if (runs && name !== gone.name) send(world, gone, name, notice, 0, 0);
}

/** Requests an operation, by the number given back; the process may await it. */
export function request(
  world: LiveWorld,
  process: Process,
  operation: OperationKind,
  { key = '', value, afterMs = 0, number = ++process.requests }: RequestDetail,
): number {
  const index = process.made++;
  const event = named<Complete>(world, {
    kind: 'complete',
    process: process.name,
    cause: world.length - 1,
    hi: mixHi(process.hi, index),
    lo: mixLo(process.lo, index),
    nth: index,
    operation,
    key,
    value,
    deadlineMs: clockOf(world, process) + afterMs,
    request: number,
  });
  process.ownOperations().push(event);
  world.waitsIn(process.at);
  world.ready.operationRequested(world, process, event);
  return number;
}

interface RequestDetail {
  readonly key?: string;
  readonly value?: unknown;
  readonly afterMs?: number;
  /** The number of another request that it belongs to: the time limit of an ask has the number of the ask. */
  readonly number?: number;
}

/** Sends a question; the process may await its answer. */
export function askFor(
  world: LiveWorld,
  process: Process,
  to: string,
  message: unknown,
  timeoutMs?: number,
  lane?: string,
): number {
  const number = ++process.requests;
  process.ownAsked().push(number);
  send(world, process, to, message, number, 0, lane);
  if (timeoutMs !== undefined) request(world, process, 'timeout', { key: to, afterMs: timeoutMs, number });
  return number;
}

/** So many processes may spawn one another in a row: a chain of names has a part for each. */
const GENERATIONS_MAX = 100;

/** Makes a process of a declared kind. It begins as an event of its own; messages for it wait until then. */
export function spawn(world: LiveWorld, parent: Process, of: string, args: unknown): string {
  const name = `${parent.name}/${of}-${++parent.spawned}`;
  if (name.split('/').length > GENERATIONS_MAX) throw new TooManyGenerations(name, GENERATIONS_MAX);
  const index = parent.made++;
  const event = named<Spawn>(world, {
    kind: 'spawn',
    process: name,
    cause: world.length - 1,
    hi: mixHi(parent.hi, index),
    lo: mixLo(parent.lo, index),
    nth: index,
    of,
    args: handedOver(world, parent, args, 'the arguments of ', of),
  });
  const child = world.admitKind(name, of, event.args);
  child.status = 'spawned';
  releaseHeld(world, child);
  world.ownSpawns().set(name, event);
  world.ready.spawnRequested(event);
  return name;
}

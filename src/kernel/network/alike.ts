import { sameDigest } from '../../trace/digest.ts';
import { ENVIRONMENT, type Internal } from '../../trace/event.ts';
import { isSameChannel, laneOf } from '../../trace/event-subject.ts';
import type { LiveWorld } from '../live-world.ts';
import type { Process } from '../process.ts';
import { OUTSIDE, type Channel } from './channel.ts';
import { addDeliverable, addDue } from './enabled.ts';
import { isShort } from './place-guesses.ts';

// A replay that leaves events out asks these at each event. In a long list of enabled events they look at one process only: the
// time does not depend on the others.

/** The enabled event of that identity. */
export function findEnabled(world: LiveWorld, wanted: Internal): Internal | undefined {
  const { enabled } = world;
  if (isShort(enabled)) return eventIn(enabled, wanted);
  const guess = world.ready.guessed(wanted);
  if (guess !== undefined) return guess;
  if (countLike(world, wanted) <= FEW) return eventIn(enabledLike(world, wanted), wanted);
  world.ready.notePlaces();
  return world.ready.guessed(wanted) ?? world.ready.find(wanted);
}

/** No closure: a replay asks this at each event. */
function eventIn(events: readonly Internal[], wanted: Internal): Internal | undefined {
  for (const event of events) if (sameDigest(event, wanted)) return event;
  return undefined;
}

/** Up to so many events of one channel or process are looked through. */
const FEW = 64;

/** How many events there are at most to look through for those of that kind, process and peer. */
function countLike(world: LiveWorld, wanted: Internal): number {
  const process = processOf(world, wanted.process);
  if (process === undefined) return 0;
  if (wanted.kind === 'deliver' || wanted.kind === 'return') return channelOf(world, process, wanted)?.size ?? 0;
  return process.timers.length + process.operations.length;
}

/** The enabled events of that kind, process and peer. */
export function enabledLike(world: LiveWorld, wanted: Internal): readonly Internal[] {
  const { enabled } = world;
  const isLike = (event: Internal): boolean => isSameChannel(event, wanted);
  if (isShort(enabled)) return enabled.filter(isLike);
  const process = processOf(world, wanted.process);
  if (process === undefined) return [];
  if (wanted.kind !== 'deliver' && wanted.kind !== 'return') return otherThanMessages(world, process).filter(isLike);
  const found: Internal[] = [];
  const channel = channelOf(world, process, wanted);
  if (channel !== undefined) addDeliverable(world, channel, found);
  return found.filter(isLike);
}

/** The enabled events of one process. */
export function enabledAt(world: LiveWorld, name: string): readonly Internal[] {
  const { enabled } = world;
  if (isShort(enabled)) return enabled.filter(({ process }) => process === name);
  const process = processOf(world, name);
  if (process === undefined) return [];
  const found: Internal[] = [];
  for (const channel of world.channels.to(process.at)) addDeliverable(world, channel, found);
  return [...found, ...otherThanMessages(world, process)];
}

/** The messages in flight of that kind, process and peer, enabled or not. */
export function pendingLike(world: LiveWorld, wanted: Internal): readonly Internal[] {
  const process = processOf(world, wanted.process);
  const channel = process && channelOf(world, process, wanted);
  return (channel?.list() ?? world.heldForAbsent).filter((event) => isSameChannel(event, wanted));
}

const processOf = (world: LiveWorld, name: string): Process | undefined => {
  const at = world.place(name);
  return at === undefined ? undefined : world.processes[at];
};

/** The channel of a message: one that comes back is on the channel of the environment. */
function channelOf(world: LiveWorld, { at }: Process, wanted: Internal): Channel | undefined {
  const from = wanted.kind === 'deliver' ? wanted.from : ENVIRONMENT;
  const fromAt = from === ENVIRONMENT ? OUTSIDE : world.place(from);
  return fromAt === undefined ? undefined : world.channels.find(fromAt, at, laneOf(wanted));
}

function otherThanMessages(world: LiveWorld, process: Process): Internal[] {
  const found: Internal[] = [];
  addDue(process, world.ready.horizonMs(world), found);
  const spawn = world.pendingSpawns.get(process.name);
  if (spawn !== undefined) found.push(spawn);
  return found;
}

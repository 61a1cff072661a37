import { hex, mixHi, mixLo, type Digest } from '../../trace/digest.ts';
import type { Deliver, Return } from '../../trace/event.ts';
import { OUTSIDE, type Channel, type InFlight } from './channel.ts';
import { isOrdered } from './enabled.ts';
import { rulesOf } from './rules.ts';
import type { LiveWorld } from '../live-world.ts';
import type { Process } from '../process.ts';
import type { Dropped } from '../recording.ts';

/** Puts a message on its channel, or applies the rules of the transport for absent receivers and cut links. */
export function post(world: LiveWorld, item: InFlight): void {
  const receiver = world.processes[item.at];
  if (receiver === undefined || receiver.isGone) {
    if (!postToAbsent(world, item)) return;
  }
  if (receiver === undefined) {
    world.holdForAbsent(item);
    return;
  }
  const channel = world.ownChannel(item.fromAt, item.at, item.lane);
  if (channel.cut && rulesOf(world, channel).onCut === 'drop') {
    drop(world, item, 'cut');
    return;
  }
  world.channels.add(channel, item);
  world.ready.messageAdded(world, receiver, channel, item);
}

/** Whether the message is to be kept. */
function postToAbsent(world: LiveWorld, item: InFlight): boolean {
  const { toAbsent } = world.declaration.transport;
  if (toAbsent === 'keep') return true;
  // A returned message and a message of the environment have no sender to return to.
  if (toAbsent === 'return' && item.kind === 'deliver' && item.fromAt !== OUTSIDE) sendBack(world, item);
  else drop(world, item, 'absent');
  return false;
}

function sendBack(world: LiveWorld, item: Deliver & InFlight): void {
  const returned: Return & InFlight = {
    kind: 'return',
    process: item.from,
    cause: item.cause,
    hi: mixHi(item.hi, RETURN),
    lo: mixLo(item.lo, RETURN),
    nth: item.nth as number,
    to: item.process,
    message: item.message,
    ask: item.ask,
    at: item.fromAt,
    fromAt: OUTSIDE,
  };
  world.absorbEnvironment(returned.hi, returned.lo);
  post(world, returned);
}

/** Takes a message off the network to be delivered; `readyAt` is its place in the ready list. */
export function take(world: LiveWorld, item: InFlight, readyAt: number): void {
  const channel = world.ownChannel(item.fromAt, item.at, item.lane);
  channel.take(item);
  channel.delivered += 1;
  world.ready.messageTaken(world, channel, readyAt);
}

/** Adds a copy of a message at the end of its channel. */
export function duplicate(world: LiveWorld, item: InFlight, { hi, lo }: Digest): void {
  const channel = world.ownChannel(item.fromAt, item.at, item.lane);
  if (isOrdered(world, channel)) world.absorbEnvironment(mixHi(hi, channel.added), mixLo(lo, channel.added));
  post(world, { ...item, cause: world.length - 1, nth: 0, hi: mixHi(item.hi, hi), lo: mixLo(item.lo, lo) });
}

/** Removes a message: it will not be delivered. */
export function lose(world: LiveWorld, item: InFlight, why: Dropped['why']): void {
  const channel = world.ownChannel(item.fromAt, item.at, item.lane);
  channel.take(item);
  world.ready.messagesChanged(channel);
  drop(world, item, why);
}

/** A message is not delivered any more: the recording keeps it. */
export function drop(world: LiveWorld, item: InFlight, why: Dropped['why']): void {
  if (item.kind === 'deliver') world.recording.drop(item, why);
  world.absorbEnvironment(mixHi(item.hi, DROP), mixLo(item.lo, DROP));
}

/** A process stopped: messages in flight to it are dropped or returned, by the rules for absent receivers. */
export function bounceInFlight(world: LiveWorld, at: number): void {
  if (world.declaration.transport.toAbsent === 'keep') return;
  // A copy of the list: returned messages are put on other channels.
  const toIt = world.channelsInUse().filter((number) => world.channels.at(number).at === at);
  for (const number of toIt) {
    for (const item of cleared(world, world.channels.at(number))) post(world, item);
  }
}

/** Drops the messages of a channel. */
export function dropAll(world: LiveWorld, channel: Channel, why: Dropped['why']): void {
  for (const item of cleared(world, channel)) drop(world, item, why);
}

/** The messages that were on a channel: it is empty now. */
function cleared(world: LiveWorld, { fromAt, at, lane }: Channel): InFlight[] {
  const channel = world.ownChannel(fromAt, at, lane);
  const messages = channel.clear();
  world.ready.messagesChanged(channel);
  return messages;
}

/** Drops the messages in flight that the crash of a process destroys. */
export function dropAtCrash(world: LiveWorld, at: number): void {
  const { to, from } = world.declaration.transport.onCrash;
  for (const number of world.channelsInUse()) {
    const channel = world.channels.at(number);
    const lost = (channel.at === at && to === 'drop') || (channel.fromAt === at && from === 'drop');
    if (lost) dropAll(world, channel, 'crash');
  }
  if (from === 'drop') {
    for (const item of takeHeld(world, ({ fromAt }) => fromAt === at)) drop(world, item, 'crash');
  }
}

/** A process joined: the messages that were kept for it are in flight now. */
export function releaseHeld(world: LiveWorld, { name, at }: Process): void {
  for (const item of takeHeld(world, ({ process }) => process === name)) post(world, { ...item, at });
}

function takeHeld(world: LiveWorld, wanted: (item: InFlight) => boolean): InFlight[] {
  const taken = world.heldForAbsent.filter(wanted);
  if (taken.length > 0) world.heldForAbsent = world.heldForAbsent.filter((item) => !wanted(item));
  return taken;
}

/** The message of that identity, on any channel. */
export function findMessage(world: LiveWorld, id: string): InFlight | undefined {
  for (const number of world.channelsInUse()) {
    const found = world.channels
      .at(number)
      .list()
      .find((item) => hex(item) === id);
    if (found !== undefined) return found;
  }
  return undefined;
}

const RETURN = 0x52455455;
const DROP = 0x44524f50;

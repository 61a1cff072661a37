import { hex, sameDigest, type Digest } from '../../trace/digest.ts';
import type { Internal } from '../../trace/event.ts';
import type { LiveWorld } from '../live-world.ts';
import type { InFlight } from './channel.ts';

/** Holds a message back. Both the message and the event are in this world: otherwise the hold was refused. */
export function hold(world: LiveWorld, message: InFlight, until: string): void {
  const event = enabledCalled(world, until) as Internal;
  world.holds = [...world.holds, { message, until: event }];
  mayHaveChanged(world, message);
}

export const enabledCalled = ({ enabled }: LiveWorld, id: string): Internal | undefined =>
  enabled.find((event) => hex(event) === id);

/**
 * Ends the holds that are over, after an event. A hold lasts while its event can happen: it is over when that has happened, is lost,
 * or is prevented, so no message waits forever. An event that is held back itself can happen later.
 */
export function endHolds(world: LiveWorld): void {
  while (world.holds.length > 0) {
    const lasting = world.holds.filter((one) => isInFlight(world, one.message) && mayHappen(world, one.until));
    if (lasting.length === world.holds.length) return;
    const over = world.holds.filter((one) => !lasting.includes(one));
    world.holds = lasting;
    for (const { message } of over) mayHaveChanged(world, message);
  }
}

const mayHappen = (world: LiveWorld, event: Digest): boolean =>
  world.enabled.some((one) => sameDigest(one, event)) || world.holds.some(({ message }) => sameDigest(message, event));

export const isInFlight = (world: LiveWorld, message: InFlight): boolean =>
  world.channels.find(message.fromAt, message.at, message.lane)?.has(message) === true;

/** Whether the message is enabled may have changed. */
export const mayHaveChanged = (world: LiveWorld, { fromAt, at, lane }: InFlight): void =>
  world.ready.messagesChanged(world.ownChannel(fromAt, at, lane));

import type { World } from '../../kernel/world.ts';
import type { Internal } from '../../trace/event.ts';
import { optionsOf } from '../network/network-switch.ts';
import { DISK } from '../network/station-places.ts';

/**
 * Whether controllers have nothing to do, and switches have done what controllers told them: nothing is pending but frames on
 * their way, moves of stations, and timers that are not work. A switch that has not noticed the failure of a link has yet to tell
 * its controllers, so that counts as well.
 */
export const controllersAreIdle = (world: World, workTimers: readonly string[]): boolean =>
  !world.pending.some((event) => isWork(event, world, workTimers));

/** Whether controllers are not idle while this event is pending. */
export function isWork(event: Internal, world: World, workTimers: readonly string[]): boolean {
  if (event.kind === 'spawn') return true;
  const { up, behavior } = world.process(event.process);
  const isSwitch = optionsOf(behavior) !== undefined;
  switch (event.kind) {
    case 'deliver':
      // A process that is down does nothing about its messages.
      return up && !(isSwitch && isOfStations(event.message));
    case 'return':
      return up;
    case 'fire':
      return !isSwitch && workTimers.includes(event.timer);
    case 'complete':
      // A handler that sleeps has more to do.
      return !(isSwitch && event.key.startsWith(DISK));
  }
}

/** Whether the message is a frame, or the move of a station. */
function isOfStations(message: unknown): boolean {
  const type = (message as { readonly type?: unknown } | null)?.type;
  return type === 'frame' || type === 'attach' || type === 'detach';
}

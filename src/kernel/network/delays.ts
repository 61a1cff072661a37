import type { LiveWorld } from '../live-world.ts';
import type { InFlight } from './channel.ts';
import { isInFlight, mayHaveChanged } from './holds.ts';

/** Holds a message back for so long. Only a session with a clock has delays. */
export function delay(world: LiveWorld, message: InFlight, ms: number): void {
  world.delays = [...world.delays, { message, untilMs: world.nowMs + ms }];
  mayHaveChanged(world, message);
}

/** Ends the delays whose time has come, and those of messages that are lost. */
export function endDelays(world: LiveWorld): void {
  if (world.delays.length === 0) return;
  const lasting = world.delays.filter((one) => one.untilMs > world.nowMs && isInFlight(world, one.message));
  if (lasting.length === world.delays.length) return;
  const over = world.delays.filter((one) => !lasting.includes(one));
  world.delays = lasting;
  for (const { message } of over) mayHaveChanged(world, message);
}

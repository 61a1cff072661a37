import type { World } from 'culprit/kernel';
import { networkStateOf, parseFrame, type Frame } from 'culprit/networks';
import type { Event } from 'culprit/trace';
import { isDiscovery } from './lldp.ts';

/** The frame that an event carries from one switch to another; undefined if it carries none. */
export function frameIn(event: Event, from: string, to: string): Frame | undefined {
  if (event.kind !== 'deliver' || event.from !== from || event.process !== to) return undefined;
  const { packet } = event.message as { readonly packet?: string };
  return packet === undefined ? undefined : parseFrame(packet);
}

/** Whether an event carries a frame of discovery over the link of two switches. */
export function isProbeBetween(event: Event, one: string, other: string): boolean {
  const frame = frameIn(event, one, other) ?? frameIn(event, other, one);
  return frame !== undefined && isDiscovery(frame);
}

/** Whether the controller has begun to probe the ports of all switches: each has the entry for frames of discovery. */
export const areProbed = (world: World): boolean =>
  networkStateOf(world).switches.every(({ entries }) => entries.length > 0);

import { parseFrame, type Frame } from 'culprit/networks';
import type { Event } from 'culprit/trace';
import { isDiscovery } from './lldp.ts';

/** The frame that an event carries from one switch to another; undefined if it carries none. */
export function frameIn(event: Event | undefined, from: string, to: string): Frame | undefined {
  if (event?.kind !== 'deliver' || event.from !== from || event.process !== to) return undefined;
  const { packet } = event.message as { readonly packet?: string };
  return packet === undefined ? undefined : parseFrame(packet);
}

/** Whether an event carries a frame of discovery from one switch to another. */
export function isProbe(event: Event | undefined, from: string, to: string): boolean {
  const frame = frameIn(event, from, to);
  return frame !== undefined && isDiscovery(frame);
}

/** The same in either direction. */
export const isProbeBetween = (event: Event, one: string, other: string): boolean =>
  isProbe(event, one, other) || isProbe(event, other, one);

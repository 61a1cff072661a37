import type { Event } from '../../trace/event.ts';
import { isDiscovery } from '../fingerprint/packet-kind.ts';

/** Frames by which controllers find links (LLDP and BDDP), or all others. */
export type FrameKind = 'discovery' | 'data';

/**
 * Whether an event is the arrival of a frame that one switch sent to another, of one kind if it is given: for triggers.
 *
 * @example
 * defineNetwork({ topology, controllers, triggers: [{ before: onLink('s2', 's1', 'discovery'), do: lose() }] });
 */
export const onLink =
  (from: string, to: string, kind?: FrameKind): ((event: Event) => boolean) =>
  (event) => {
    if (event.kind !== 'deliver' || event.from !== from || event.process !== to) return false;
    const { type, packet } = event.message as { readonly type?: unknown; readonly packet?: unknown };
    return type === 'frame' && (kind === undefined || isDiscovery(packet) === (kind === 'discovery'));
  };

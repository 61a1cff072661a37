import type { Event, Internal } from '../../trace/event.ts';

/** When a message was sent; undefined of an event that is none. */
const sentMs = (event: Event): number | undefined =>
  'sentMs' in event && typeof event.sentMs === 'number' ? event.sentMs : undefined;

/** When an event of a replay appeared. It may have waited since for events that come before it. */
export const appearedMs = (event: Internal, nowMs: number): number =>
  Math.min(sentMs(event) ?? event.atMs ?? nowMs, nowMs);

/** How long a recorded message was in flight. */
export const inFlightMs = (event: Event): number => (event.atMs ?? 0) - (sentMs(event) ?? event.atMs ?? 0);

/** A program that sends something within this time has reacted. */
const REACTION_MS = 10;

/**
 * Whether a program sent a message at once when an event happened to it. A timer of the program may have fired just then: such a message
 * is not awaited without that event, and happens when it appears.
 */
export const isReaction = (event: Internal, causedBy: Event): boolean =>
  (sentMs(event) ?? Number.POSITIVE_INFINITY) - (causedBy.atMs ?? 0) <= REACTION_MS;

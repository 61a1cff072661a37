/** The version of a node's news: its number of restarts, and its number of gossip rounds since. */
export interface Heartbeat {
  readonly generation: number;
  readonly version: number;
}

/** By node. */
export type Heartbeats = Record<string, Heartbeat>;

/** A round of gossip has three messages: what the first knows, what the second lacks and has newer, what it lacked. */
export type Message =
  | { type: 'gossip'; to: string }
  | { type: 'syn'; digests: Heartbeats }
  | { type: 'ack'; lacks: string[]; news: Heartbeats }
  | { type: 'ack2'; news: Heartbeats }
  | { type: 'down' };

export const isNewer = (one: Heartbeat, other: Heartbeat | undefined): boolean =>
  other === undefined ||
  one.generation > other.generation ||
  (one.generation === other.generation && one.version > other.version);

import type { Bug } from './bugs.ts';
import type { Notification } from './messages.ts';
import type { Peer } from './peer.ts';
import { beats } from './vote.ts';

/**
 * Whether a server that is settled has to tell one that is looking. Whoever is in an earlier round, or has a vote that is
 * no better, gets what this server said when it was looking itself, and finds out by that; unless it was down then.
 */
export const mustAnswer = (peer: Peer, { again, round, vote }: Notification, bug: Bug): boolean =>
  again || round > peer.round || (round === peer.round && beats(vote, peer.vote, bug));

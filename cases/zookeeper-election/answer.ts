import type { Bug } from './bugs.ts';
import type { Notification } from './messages.ts';
import type { Peer } from './peer.ts';
import { beats } from './vote.ts';

/**
 * Whether a settled server has to answer one that is looking. A server in an earlier round, or with a vote that is no
 * better, gets the vote that this server sent when it was looking itself, and learns from that; unless it was down
 * then.
 */
export const mustAnswer = (peer: Peer, { again, round, vote }: Notification, bug: Bug): boolean =>
  again || round > peer.round || (round === peer.round && beats(vote, peer.vote, bug));

import type { ProcessView, ReductionRules } from 'culprit';
import { mustAnswer } from './answer.ts';
import type { Bug } from './bugs.ts';
import type { Message, Notification } from './messages.ts';
import type { Watching } from './observer.ts';
import { isMajority, isObserver, withoutName, type Peer } from './peer.ts';
import { beats, isSame } from './vote.ts';

type View = ProcessView<Peer | Watching>;

/** The state of a voter; nothing for a server that is down, or that only observes. */
const peerOf = ({ name, state }: View): Peer | undefined =>
  isObserver(name) ? undefined : (state as Peer | undefined);

/** The rules of the SAMC study for this protocol, except that votes that count are not discarded. */
export const rulesFor = (bug: Bug): ReductionRules<Peer | Watching, Message> => ({
  message(message, receiver) {
    const peer = peerOf(receiver);
    return message.type === 'vote' && peer !== undefined && isOfNoUse(peer, message, bug) ? 'discards' : 'modifies';
  },
  crash: (survivor, crashing) => (makesSend(peerOf(survivor), crashing) ? 'global' : 'local'),
  recovery: (survivor, crashing) => recovered(peerOf(survivor), crashing),
  rejoin: (survivor, rebooting) => rejoined(peerOf(survivor), rebooting),
});

/**
 * A vote that loses, and that changes nothing by being there. The study discards every vote that loses; but one for the
 * same leader may complete the majority, and one may come from a server that is waited for, or has missed something.
 */
function isOfNoUse(peer: Peer, message: Notification, bug: Bug): boolean {
  // Where two votes can beat each other, one that loses now may win after another; where all are counted, all count.
  if (bug === 'zookeeper-1419' || bug === 'zookeeper-975' || message.role !== 'looking') return false;
  const { role, round, vote, gone, early, settled } = peer;
  if (mustAnswer(peer, message, bug) || gone.length + early.length + Object.keys(settled).length > 0) return false;
  return role === 'following' || message.round < round || !isSame(message.vote, vote);
}

const hasMajorityWithout = ({ agree }: Peer, name: string): boolean => isMajority(withoutName(agree, name));

/** The crash of a dispensable follower, or of a server without followers, causes no message. */
function makesSend(state: Peer | undefined, crashing: View): boolean {
  if (state === undefined) return false;
  if (state.role === 'leading') return !hasMajorityWithout(state, crashing.name);
  return state.vote.leader === crashing.name || (state.role === 'looking' && peerOf(crashing)?.role === 'looking');
}

/** What the survivor says and does then depends on this. */
function recovered(state: Peer | undefined, crashing: View): unknown {
  if (state === undefined) return undefined;
  const { role, agree } = state;
  const followers = agree.length;
  if (role === 'looking') return summary(state);
  if (role === 'leading')
    return hasMajorityWithout(state, crashing.name) ? { role, followers } : { ...summary(state), followers };
  return state.vote.leader === crashing.name ? { ...summary(state), followers } : undefined;
}

/** One that comes back begins with the first round and its own vote, and gets an answer from those who know more or less. */
function rejoined(state: Peer | undefined, { name, disk }: View): unknown {
  if (state === undefined) return undefined;
  const vote = { epoch: Number(disk.get('epoch') ?? 0), zxid: 0, leader: name };
  const isConcerned = state.role !== 'looking' || state.round > 1 || beats(vote, state.vote, 'none');
  return isConcerned ? summary(state) : undefined;
}

const summary = ({ role, round, epoch, zxid, vote }: Peer): object => ({
  role,
  round,
  epoch,
  zxid,
  leader: vote.leader,
});

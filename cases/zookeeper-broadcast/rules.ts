import type { Effect, ProcessView, ReductionRules } from 'culprit';
import { compareZxids, lastZxid, type History, type Zxid } from './history.ts';
import type { Message, Of } from './messages.ts';
import { majorityOf, type Leadership, type Server } from './server.ts';

type View = ProcessView<Server>;

/** Rules that let a check explore fewer orders of this protocol. */
export const rules: ReductionRules<Server, Message> = { message, crash, recovery, rejoin };

function message(received: Message, receiver: View): Effect {
  const { state } = receiver;
  if (state === undefined) return 'modifies';
  switch (received.type) {
    case 'ACK':
      return state.leads === null ? 'discards' : ack(received, state.leads, receiver);
    case 'VOTE':
      return isFarFromElected(state) ? 'counts' : 'modifies';
    case 'REQUEST':
      // No server becomes a leader that takes requests by one message.
      return state.leads === null ? 'discards' : 'modifies';
    case 'UPTODATE':
      return state.role === 'following' ? { sets: `committed ${JSON.stringify(received.zxid)}` } : 'discards';
    case 'PROPOSAL':
    case 'COMMIT':
      // What would make the receiver follow the sender comes before, on the same connection.
      return state.role === 'following' || state.offer !== null ? 'modifies' : 'discards';
    default:
      return 'modifies';
  }
}

/** An acknowledgement that completes a quorum, and one that lets a follower in, is never just counted. */
function ack({ zxid }: Of<'ACK'>, leads: Leadership, leader: View): Effect {
  const followers = Object.values(leads.followers).filter((follower) => follower !== null);
  if (!leads.established || followers.some(({ upToDate }) => !upToDate)) return 'modifies';
  const known = [onDisk(leader), ...followers.map(({ acked }) => acked)];
  const have = known.filter((last) => last !== null && compareZxids(last, zxid) >= 0).length;
  const majority = majorityOf(Object.keys(leads.followers).length + 1);
  if (have >= majority) return 'discards';
  return have + 1 < majority ? 'counts' : 'modifies';
}

/** After one more vote there is still one missing. */
const isFarFromElected = ({ role, votes, gone, offer }: Server): boolean =>
  role === 'looking' &&
  offer === null &&
  Object.values(gone).every((isGone) => !isGone) &&
  Object.values(votes).filter((vote) => vote === null).length > 1;

/** Whether the survivor sends something because of the crash: it does when it loses its leader, its quorum, or a rival. */
function crash({ state }: View, { name }: View): 'local' | 'global' {
  if (state === undefined || state.role === 'closing') return 'local';
  if (state.role === 'looking' || state.leader === name) return 'global';
  return state.leads !== null && !keepsQuorum(state.leads, name) ? 'global' : 'local';
}

function recovery(survivor: View, { name }: View): unknown {
  const { state } = survivor;
  if (state === undefined || (state.role === 'following' && state.leader !== name)) return undefined;
  const followers = state.leads === null ? 0 : followersWithout(state.leads, name);
  const role = state.leads !== null && keepsQuorum(state.leads, name) ? 'leading' : 'looking';
  return { role, followers, log: lastZxid(state.log), disk: onDisk(survivor) };
}

/** A leader that has what the other has will teach it nothing, and a follower has nothing to do. */
function rejoin(survivor: View, rebooting: View): unknown {
  const { state } = survivor;
  if (state === undefined || state.role === 'following') return undefined;
  const [mine, theirs] = [logOnDisk(survivor), logOnDisk(rebooting)];
  if (state.leads !== null && JSON.stringify(mine) === JSON.stringify(theirs)) return undefined;
  return { role: state.leads === null ? 'looking' : 'leading', mine, theirs };
}

const followersWithout = ({ followers }: Leadership, name: string): number =>
  Object.entries(followers).filter(([peer, follower]) => follower !== null && peer !== name).length;

const keepsQuorum = (leads: Leadership, name: string): boolean =>
  followersWithout(leads, name) + 1 >= majorityOf(Object.keys(leads.followers).length + 1);

const logOnDisk = ({ disk }: View): History => (disk.get('log') as { log: History } | undefined)?.log ?? [];

const onDisk = (server: View): Zxid => lastZxid(logOnDisk(server));

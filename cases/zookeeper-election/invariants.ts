import type { Behavior, Judgment, RunningProcess, World } from 'culprit';
import type { Message } from './messages.ts';
import { isObserver, type Peer } from './peer.ts';

/** Observers are of no interest here: what is read of the others is what they have. */
type Servers = Pick<World<Record<string, Behavior<Peer, Message>>>, 'up'>;

const servers = (world: Pick<World, 'up'>): readonly RunningProcess<Peer>[] =>
  (world as Servers).up().filter(({ name }) => !isObserver(name));

const votesFor = ({ state }: RunningProcess<Peer>): readonly string[] =>
  state.agree.filter((name) => !isObserver(name));

/**
 * Two servers may lead for a while without any bug: one without followers may not have heard of it. But then each of
 * them knows a majority that agrees or agreed with it.
 */
export function oneLeader(world: Pick<World, 'up'>): Judgment {
  const leaders = servers(world).filter(({ state }) => state.role === 'leading');
  const alone = leaders.find((leader) => votesFor(leader).length < 2);
  const other = leaders.find((leader) => leader !== alone);
  if (alone === undefined || other === undefined) return true;
  const names = [alone.name, other.name].sort();
  return {
    message: `${names.join(' and ')} both lead, and only ${votesFor(alone).join()} agrees with ${alone.name}`,
    processes: names,
  };
}

/** A leader has a majority of the voters behind it. */
export function leaderHasMajority(world: Pick<World, 'up'>): Judgment {
  const alone = servers(world).find((process) => process.state.role === 'leading' && votesFor(process).length < 2);
  return (
    alone === undefined || { message: `${alone.name} leads, and nobody with a vote follows`, processes: [alone.name] }
  );
}

const names = ['node-1', 'node-2', 'node-3'];

/** An epoch that a leader gave itself, and no other server has taken, is forgotten when it no longer leads. */
export function epochsAreTaken(world: Pick<World, 'up' | 'process'>): Judgment {
  const onDisk = (name: string): number => Number(world.process(name).disk.get('epoch') ?? 0);
  const alone = servers(world).find(
    ({ state: { role, epoch } }) => role !== 'leading' && names.every((name) => onDisk(name) < epoch),
  );
  if (alone === undefined) return true;
  const { name, state } = alone;
  return { message: `${name} does not lead, and nobody has taken its epoch ${state.epoch}`, processes: [name] };
}

/** If a majority is up, it has a leader, and every server that is up follows it and is known to. */
export function isSettled(world: Pick<World, 'up'>): boolean {
  const up = servers(world);
  if (up.length < 2) return true;
  const leader = up.find(({ state }) => state.role === 'leading');
  return up.every(({ name, state }) => name === leader?.name || isFollower(name, state, leader));
}

const isFollower = (name: string, { role, vote }: Peer, leader: RunningProcess<Peer> | undefined): boolean =>
  role === 'following' && vote.leader === leader?.name && leader.state.agree.includes(name);

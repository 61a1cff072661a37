import type { Session } from 'culprit/kernel';
import { firstEnabled, gossip } from '../gossip.ts';
import { raftLike, type Node } from '../raft-like.ts';
import type { Measured } from '../row.ts';
import { run } from '../run.ts';
import { best, inTurns } from '../timing.ts';
import { WithClients } from '../with-clients.ts';

const FORKS = 20_000;
const ROUNDS = 15;

/** A fork in the middle of an execution, and one delivery in it: the cost of a search per state. */
export async function fork(): Promise<Measured[]> {
  const raft = raftLike('any');
  const ring = gossip(5, 10);
  const sessions = {
    raft: await run(raft, new WithClients(raft, 1), 5000),
    ring: await run(ring, firstEnabled(ring), 5000),
  };
  const times = await inTurns(ROUNDS, {
    raft: () => forkAndDeliver(sessions.raft),
    raftForkOnly: () => forkOnly(sessions.raft),
    ring: () => forkAndDeliver(sessions.ring),
    ringForkOnly: () => forkOnly(sessions.ring),
  });
  const us = (name: string, metric: string, ms: number[]): Measured => ({
    case: name,
    metric,
    value: (best(ms) * 1000) / FORKS,
    unit: 'us',
  });
  const target = '<= 5';
  return [
    { ...us('five Raft-like nodes', 'fork and deliver', times.raft), target },
    us('five Raft-like nodes', 'fork', times.raftForkOnly),
    { case: 'five Raft-like nodes', metric: 'entries per log', value: entriesPerLog(sessions.raft), unit: 'entries' },
    { ...us('five trivial nodes', 'fork and deliver', times.ring), target },
    us('five trivial nodes', 'fork', times.ringForkOnly),
  ];
}

function forkAndDeliver(session: Session): void {
  const deliveries = session.enabled.filter(({ kind }) => kind === 'deliver');
  for (let i = 0; i < FORKS; i++) {
    const delivery = deliveries[i % deliveries.length];
    if (delivery !== undefined) void forked(session).perform(delivery);
  }
}

function forkOnly(session: Session): void {
  for (let i = 0; i < FORKS; i++) forked(session);
}

function forked(session: Session): Session {
  const twin = session.fork?.();
  if (twin === undefined) throw new Error('nothing is suspended, and yet there is no fork');
  return twin;
}

function entriesPerLog(session: Session): number {
  const lengths = session.world.up().map(({ state }) => (state as Node).log.length);
  return lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
}

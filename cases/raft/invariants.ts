import type { Behavior, Judgment, RunningProcess, World } from 'culprit';
import type { Witness } from 'culprit/kernel';
import type { Entry } from './log.ts';
import type { Message, Timer } from './messages.ts';
import type { Applied, RaftNode } from './node.ts';

/** What must be true of every world: figure 3 of the Raft paper. */

export type RaftWorld = World<Record<string, Behavior<RaftNode, Message, Timer>>>;
type Process = RunningProcess<RaftNode>;

/** There is at most one leader in each term, then or later. */
export const electionSafety = (world: RaftWorld): Judgment =>
  betweenMovedAnd(world, (moved, other) => {
    const term = moved.state.ledTerms.at(-1);
    if (term === undefined || !other.state.ledTerms.includes(term)) return true;
    return about([moved, other], (names) => `${names} have both been leader of term ${term}`);
  });

/** Where two logs have an entry of the same index and term, they are the same up to there. */
export const logMatching = (world: RaftWorld): Judgment =>
  betweenMovedAnd(world, (moved, other) => {
    const [mine, theirs] = [moved.state.log.entries, other.state.log.entries];
    const shared = lastShared(mine, theirs);
    if (shared === undefined) return true;
    const [at, theirAt] = shared;
    if (at === theirAt && isSameUpTo(at, mine, theirs)) return true;
    const { index, term } = mine[at] as Entry;
    return about([moved, other], (names) => `${names} share entry ${index} of term ${term}, but not all before it`);
  });

/** What was committed in an earlier term is in the log of every leader. */
export const leaderCompleteness = (world: RaftWorld): Judgment =>
  betweenMovedAnd(world, (moved, other) => lacksCommitted(moved, other) ?? lacksCommitted(other, moved) ?? true);

/** No two state machines apply different commands at the same place. */
export const stateMachineSafety = (world: RaftWorld): Judgment =>
  betweenMovedAnd(world, (moved, other) => {
    const [mine, theirs] = [moved.state.applied, other.state.applied];
    for (let at = Math.min(mine.length, theirs.length) - 1; at >= 0; at--) {
      if (mine[at]?.command !== theirs[at]?.command)
        return about([moved, other], (names) => `${names} have applied different commands at place ${at + 1}`);
    }
    return true;
  });

/**
 * They are asked after every event, so it is enough to compare the process that has just acted with each of the others:
 * no other pair has changed.
 */
function betweenMovedAnd(world: RaftWorld, compare: (moved: Process, other: Process) => Judgment): Judgment {
  const nodes = world.up();
  const moved = nodes.find(({ name }) => name === world.last?.process);
  if (moved === undefined) return true;
  for (const other of nodes) {
    const judgment = other === moved ? true : compare(moved, other);
    if (judgment !== true) return judgment;
  }
  return true;
}

function about(processes: readonly Process[], say: (names: string) => string): Judgment {
  const names = processes.map(({ name }) => name).sort();
  return { message: say(names.join(' and ')), processes: names };
}

/** The places of the last entry that both logs have, by its index and term; indices grow along a log. */
function lastShared(mine: readonly Entry[], theirs: readonly Entry[]): [at: number, theirAt: number] | undefined {
  let [at, theirAt] = [mine.length - 1, theirs.length - 1];
  while (at >= 0 && theirAt >= 0) {
    const [entry, their] = [mine[at] as Entry, theirs[theirAt] as Entry];
    if (entry.index === their.index && entry.term === their.term) return [at, theirAt];
    if (entry.index >= their.index) at -= 1;
    if (entry.index <= their.index) theirAt -= 1;
  }
  return undefined;
}

function isSameUpTo(last: number, mine: readonly Entry[], theirs: readonly Entry[]): boolean {
  for (let at = last; at >= 0; at--) {
    const [entry, their] = [mine[at], theirs[at]];
    if (entry?.index !== their?.index || entry?.term !== their?.term || entry?.command !== their?.command) return false;
  }
  return true;
}

function lacksCommitted(leader: Process, other: Process): Witness | undefined {
  const { role, term, log } = leader.state;
  if (role !== 'Leader') return undefined;
  const missing = other.state.applied.findIndex(
    (applied, at) => applied.committedIn < term && !isEntry(log.entries[at], applied),
  );
  const lost = other.state.applied[missing];
  if (lost === undefined) return undefined;
  const message = `${leader.name}, leader of term ${term}, lacks ${lost.command}, which ${other.name} knew to be committed in term ${lost.committedIn}`;
  return { message, processes: [leader.name, other.name] };
}

const isEntry = (entry: Entry | undefined, { term, command }: Applied): boolean =>
  entry?.term === term && entry.command === command;

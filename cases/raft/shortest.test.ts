import { targetOf, allOf, invariantOracle, noUncaughtException, resolveSystem } from 'culprit/kernel';
import { send } from 'culprit';
import type { Session } from 'culprit/kernel';
import { eventOf, type Deliver, type Internal } from 'culprit/trace';
import { describe, expect, test } from 'vitest';
import { bestTrace } from './best-trace.ts';
import type { Bug } from './bugs.ts';
import type { Message } from './messages.ts';
import raft from './raft.system.ts';

/**
 * The shortest executions known of each bug *with four members*, as in the study, made by hand: they show how each bug comes
 * about there. With fewer members there are shorter ones, which are in `best/`; that of raft-58a is made here, too. Nodes are numbers; `1 times out` fires the timer that waits for
 * a leader or for votes, `1>2 RequestVote` delivers a message, `1 BeginElection` one that a node has sent itself, and
 * `c1>1` has a client send a command, which is delivered.
 */

const joins = (...nodes: readonly number[]): string => nodes.map((node) => `${node} starts, ${node} joins`).join(', ');

/** The voter comes from an earlier term, so it hears the request twice. */
const votes = (voter: number, candidate: number): string =>
  `${candidate}>${voter} RequestVote, ${voter} RequestVote, ${voter}>${candidate} VoteCandidate`;

const wins = (candidate: number, ...voters: readonly number[]): string =>
  [`${candidate} times out, ${candidate} BeginElection`, ...voters.map((voter) => votes(voter, candidate))].join(', ');

/** Times out twice before its election begins, so the voter is asked twice in one term. */
const winsByOneVoter = (candidate: number, voter: number): string =>
  [
    `${candidate} times out, ${candidate} times out, ${candidate} BeginElection, ${candidate} BeginElection`,
    votes(voter, candidate),
    `${candidate}>${voter} RequestVote, ${voter}>${candidate} VoteCandidate`,
  ].join(', ');

interface Shortest {
  readonly events: number;
  readonly steps: readonly string[];
  readonly violates: string;
  readonly message: string;
}

const withFour: Readonly<Record<Exclude<Bug, 'none'>, Shortest>> = {
  // Each candidate asks twice in term 2: a follower that answers twice is majority enough.
  'raft-45': {
    events: 30,
    steps: [joins(1, 2, 3, 4), winsByOneVoter(1, 3), winsByOneVoter(2, 4)],
    violates: 'electionSafety',
    message: 'node-1 and node-2 have both been leader of term 2',
  },
  // The votes of term 1 make node-1 leader of term 2, in which the same nodes vote for node-3.
  'raft-46': {
    events: 30,
    steps: [
      joins(1, 2, 3, 4),
      '1 times out, 1 BeginElection, 1>2 RequestVote, 2 RequestVote, 1>3 RequestVote, 3 RequestVote',
      '1 times out, 1 BeginElection, 2>1 VoteCandidate, 3>1 VoteCandidate',
      wins(3, 2, 4),
    ],
    violates: 'electionSafety',
    message: 'node-1 and node-3 have both been leader of term 2',
  },
  // Everybody is a candidate; 2 and 3 vote for 1 before their own elections begin, follow it, and vote for 4.
  'raft-56': {
    events: 29,
    steps: [
      joins(1, 2, 3, 4),
      '1 times out, 2 times out, 3 times out, 4 times out',
      '1 BeginElection, 1>2 RequestVote, 2>1 VoteCandidate, 1>3 RequestVote, 3>1 VoteCandidate',
      '1 ElectedAsLeader, 1>2 AppendEntries, 1>3 AppendEntries',
      '4 BeginElection, 4>2 RequestVote, 2>4 VoteCandidate, 4>3 RequestVote, 3>4 VoteCandidate',
    ],
    violates: 'electionSafety',
    message: 'node-1 and node-4 have both been leader of term 1',
  },
  // Node-1 leads with a log of two and node-3 makes it a log of one; elected again, node-1 hears node-3 before itself.
  'raft-58a': {
    events: 58,
    steps: [
      joins(1, 2, 3),
      wins(1, 2, 3),
      'c1>1, c2>1, 1 ElectedAsLeader',
      // What a node gets before it has joined, it does not answer.
      '4 starts, 1>4 RequestVote, 1>4 AppendEntries, 1>4 AppendEntries, 1>4 AppendEntries, 4 joins',
      wins(3, 2, 4),
      'c3>3, 3 ElectedAsLeader, 3>1 RequestVote, 1 RequestVote, 3>1 AppendEntries',
      '1>2 AppendEntries, 1>2 AppendEntries, 1>2 AppendEntries',
      '2>1 AppendRejected, 2>1 AppendRejected, 2>1 AppendRejected',
      wins(1, 2, 4),
      '3>1 AppendEntries',
    ],
    violates: 'noUncaughtException',
    message: 'node-1 threw AssertionError: the next entry for a follower lies beyond the log',
  },
  // Node-3 has the first entry, node-2 does not: the second looks to it as if nothing came before.
  'raft-58b': {
    events: 33,
    steps: [
      joins(1, 2, 3),
      wins(1, 2, 3),
      'c1>1, 1>3 AppendEntries, 3>1 AppendSuccessful',
      '3 times out, 3 BeginElection, 3>1 RequestVote, 1 ElectedAsLeader, 1 RequestVote, 1>3 VoteCandidate',
      votes(2, 3),
      'c2>3, 3>2 AppendEntries',
    ],
    violates: 'logMatching',
    message: 'node-2 and node-3 share entry 1 of term 2, but not all before it',
  },
  // The logs have 3, 2, 1 and 0 entries, no length more often than another: node-1 takes its own for the majority's.
  'raft-42': {
    events: 40,
    steps: [
      joins(1, 2, 3, 4),
      wins(1, 2, 3),
      'c1>1, c2>1, c3>1',
      '1>2 AppendEntries, 2>1 AppendSuccessful',
      '1>3 AppendEntries, 3>1 AppendSuccessful, 1>3 AppendEntries, 3>1 AppendSuccessful',
      wins(3, 2, 4),
    ],
    violates: 'leaderCompleteness',
    message: 'node-3, leader of term 2, lacks c3, which node-1 knew to be committed in term 1',
  },
  // Nodes 2 and 3 acknowledge c2, and lose it when the message from before arrives.
  'raft-66': {
    events: 38,
    steps: [
      joins(1, 2, 3, 4),
      wins(1, 2, 3),
      'c1>1, c2>1',
      '1>2 AppendEntries of 2, 2>1 AppendSuccessful, 1>3 AppendEntries of 2, 3>1 AppendSuccessful',
      '1>2 AppendEntries of 1, 1>3 AppendEntries of 1',
      wins(2, 3, 4),
    ],
    violates: 'leaderCompleteness',
    message: 'node-2, leader of term 2, lacks c2, which node-1 knew to be committed in term 1',
  },
};

/** Node-3 is not there when node-1 first leads, and hears of that before it has joined: it does not answer. */
const leadsBeyondItsLog: readonly string[] = [
  joins(1, 2),
  wins(1, 2),
  'c1>1, c2>1, 1 ElectedAsLeader',
  '3 starts, 1>3 RequestVote, 1>3 AppendEntries, 1>3 AppendEntries, 1>3 AppendEntries, 3 joins',
  wins(2, 3),
  'c3>2, 2 ElectedAsLeader, 2>1 RequestVote, 1 RequestVote, 2>1 AppendEntries',
  wins(1, 3),
  '2>1 AppendEntries',
];

describe('the shortest execution known with four members', () => {
  test.each(Object.entries(withFour))('of %s', async (bug, { events, steps, violates, message }) => {
    const session = await performed(bug, 4, steps);
    expect(judge(session)).toMatchObject({ kind: 'violated', oracle: violates, message });
    expect(session.world.length).toBe(events);
  });
});

test('the stored execution of raft-58a is one made by hand, with three members', async () => {
  const session = await performed('raft-58a', 3, leadsBeyondItsLog);
  const { violates, message } = withFour['raft-58a'];
  expect(judge(session)).toMatchObject({ kind: 'violated', oracle: violates, message });
  expect(session.recording.events.since(0)).toMatchObject(bestTrace('raft-58a').events.map(eventOf));
});

async function performed(bug: string, nodes: number, steps: readonly string[]): Promise<Session> {
  const session = targetOf(resolveSystem(raft, { bug, nodes, unordered: bug === 'raft-66' })).open(1);
  for (const step of steps.join(', ').split(', ')) {
    expect(judge(session).kind).toBe('holds');
    await perform(session, nodes, step);
  }
  return session;
}

const oracle = allOf(noUncaughtException, invariantOracle(resolveSystem(raft).invariants));
const judge = ({ world }: Session): ReturnType<typeof oracle.judge> => oracle.judge(world, world.last);

async function perform(session: Session, nodes: number, step: string): Promise<void> {
  const [, one = '', two, what = ''] = /^(\w+)(?:>(\w+))? ?(.*)$/.exec(step) ?? [];
  if (what === 'starts') await session.perform({ kind: 'start', process: `node-${one}` });
  else if (what === 'joins') {
    const members = Array.from({ length: nodes }, (_, at) => `node-${at + 1}`);
    await tell(session, one, { type: 'ChangeConfiguration', members });
  } else if (what === '') await tell(session, two ?? '', { type: 'ClientMessage', command: one });
  else await session.perform(enabled(session, step, (event) => fits(event, one, two ?? one, what)));
}

/** A message from outside: it is sent, and delivered. */
async function tell(session: Session, node: string, message: Message): Promise<void> {
  await session.perform(send(`node-${node}`, message));
  const arrives = (event: Internal): boolean => event.kind === 'deliver' && event.cause === session.world.length - 1;
  await session.perform(enabled(session, `${message.type} to ${node}`, arrives));
}

function fits(event: Internal, from: string, to: string, what: string): boolean {
  if (event.process !== `node-${to}`) return false;
  if (event.kind === 'fire') return what === 'times out' && event.timer !== 'heartbeat';
  return event.kind === 'deliver' && event.from === `node-${from}` && labels(event).includes(what);
}

/** `AppendEntries`, and `AppendEntries of 2` where two entries are in it. */
function labels({ message }: Deliver): string[] {
  const { type, entries = [] } = message as { type: string; entries?: readonly unknown[] };
  return [type, `${type} of ${entries.length}`];
}

function enabled(session: Session, step: string, isIt: (event: Internal) => boolean): Internal {
  const event = session.enabled.find(isIt);
  if (event === undefined) throw new Error(`${step} cannot happen after ${session.world.length} events`);
  return event;
}

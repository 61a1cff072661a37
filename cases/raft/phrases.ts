import type { Phrases } from 'culprit';
import { lastIndex } from './log.ts';
import type { Message, Of, Timer } from './messages.ts';
import { commitIndex, type RaftNode } from './node.ts';

/** The wording of events and states for readers. */
export const phrases: Phrases<RaftNode, Message, Timer> = {
  message(message, { from, to }) {
    switch (message.type) {
      case 'ChangeConfiguration':
        return `learns who the cluster is: ${message.members.join(', ')}`;
      case 'ClientMessage':
        return `is asked to do ${message.command}`;
      case 'RequestVote':
        return from === to
          ? `looks at ${message.candidate}'s request for term ${message.term} again`
          : `is asked for its vote by ${message.candidate}, in term ${message.term}`;
      case 'VoteCandidate':
        return `gets ${from === to ? 'its own vote' : `${from}'s vote`} for term ${message.term}`;
      case 'DeclineCandidate':
        return `is refused ${from}'s vote for term ${message.term}`;
      case 'BeginElection':
        return 'begins an election';
      case 'ElectedAsLeader':
        return 'begins to lead';
      case 'AppendEntries':
        return `hears from ${from}, who leads term ${message.term}: ${appended(message)}`;
      case 'AppendSuccessful':
        return `hears that ${from} has the log up to ${message.lastIndex}`;
      case 'AppendRejected':
        return `hears from ${from}, in term ${message.term}, that something is missing before it`;
    }
  },
  timer(timer) {
    switch (timer) {
      case 'election':
        return 'has waited for a leader long enough';
      case 'candidacy':
        return 'has waited for votes long enough';
      case 'heartbeat':
        return 'reminds everybody of itself';
    }
  },
  state(node) {
    const { role, term, log, applied } = node;
    if (role === 'Init') return 'not in a cluster yet';
    const entries = log.entries.length === 0 ? '' : `, log up to ${lastIndex(log)}`;
    return `${role.toLowerCase()} of term ${term}${entries}${applied.length === 0 ? '' : `, committed up to ${commitIndex(node)}`}`;
  },
};

function appended({ entries, prevIndex, leaderCommit }: Of<'AppendEntries'>): string {
  const commands = entries.map(({ command, term }) => `${command} of term ${term}`).join(', ');
  const committed = leaderCommit > 0 ? `, committed up to ${leaderCommit}` : '';
  return `${commands === '' ? 'nothing new' : commands} after ${prevIndex}${committed}`;
}

import { behavior, defineSystem, type Context } from 'culprit';
import { resolveSystem, type ResolvedSystem, type Timing } from 'culprit/kernel';

/**
 * The core of Raft (Ongaro & Ousterhout 2014, figure 2) for executions of any length: entries that every node has are
 * dropped from all logs, and a leader whose log is full takes no commands, so states stay bounded. No disk, as no node
 * crashes here.
 */
interface Entry {
  readonly term: number;
  readonly command: string;
}

export type Message =
  | { readonly type: 'command'; readonly command: string }
  | { readonly type: 'requestVote'; readonly term: number; readonly lastIndex: number; readonly lastTerm: number }
  | { readonly type: 'vote'; readonly term: number; readonly granted: boolean }
  | {
      readonly type: 'append';
      readonly term: number;
      readonly prevIndex: number;
      readonly prevTerm: number;
      readonly entries: readonly Entry[];
      readonly commit: number;
      /** Every node has the entries up to this one. */
      readonly everywhere: number;
    }
  | { readonly type: 'appended'; readonly term: number; readonly matched: boolean; readonly index: number };

export interface Node {
  role: 'follower' | 'candidate' | 'leader';
  term: number;
  votedFor: string | null;
  votes: string[];
  /** Entries `base + 1` and on. */
  log: Entry[];
  base: number;
  baseTerm: number;
  commit: number;
  everywhere: number;
  /** By follower: the next entry to send, and the last it is known to have. */
  next: Record<string, number>;
  match: Record<string, number>;
}

type Timer = 'election' | 'heartbeat';
type Ctx = Context<Message, Timer>;
type Of<T extends Message['type']> = Extract<Message, { type: T }>;

const ENTRIES_PER_APPEND = 5;
/** Maximum number of kept entries that every node has; maximum length of a leader's log. */
const LOG_KEPT = 20;
const LOG_MAX = 40;

export const raftNode = behavior<Node, Message, Timer>({
  start(ctx) {
    awaitLeader(ctx);
    return {
      role: 'follower',
      term: 0,
      votedFor: null,
      votes: [],
      log: [],
      base: 0,
      baseTerm: 0,
      commit: 0,
      everywhere: 0,
      next: {},
      match: {},
    };
  },

  timer(node, timer, ctx) {
    if (timer === 'election') campaign(node, ctx);
    else lead(node, ctx);
  },

  receive(node, message, ctx) {
    if (message.type === 'command') return take(node, message, ctx);
    if (message.term > node.term) follow(node, message.term, ctx);
    switch (message.type) {
      case 'requestVote':
        return answerCandidate(node, message, ctx);
      case 'vote':
        return countVote(node, message, ctx);
      case 'append':
        return append(node, message, ctx);
      case 'appended':
        return advance(node, message, ctx);
    }
  },
});

const awaitLeader = (ctx: Ctx): void => ctx.setTimer('election', 150 + ctx.random.below(150));

const lastIndex = (node: Node): number => node.base + node.log.length;

const termAt = (node: Node, index: number): number =>
  index === node.base ? node.baseTerm : (node.log[index - node.base - 1]?.term ?? -1);

function follow(node: Node, term: number, ctx: Ctx): void {
  if (node.role === 'leader') {
    ctx.cancelTimer('heartbeat');
    awaitLeader(ctx);
  }
  node.role = 'follower';
  node.term = term;
  node.votedFor = null;
}

function campaign(node: Node, ctx: Ctx): void {
  node.role = 'candidate';
  node.term += 1;
  node.votedFor = ctx.self;
  node.votes = [ctx.self];
  awaitLeader(ctx);
  const last = lastIndex(node);
  for (const peer of ctx.peers) {
    ctx.send(peer, { type: 'requestVote', term: node.term, lastIndex: last, lastTerm: termAt(node, last) });
  }
}

function answerCandidate(node: Node, { term, lastIndex: index, lastTerm }: Of<'requestVote'>, ctx: Ctx): void {
  const last = lastIndex(node);
  const upToDate = lastTerm > termAt(node, last) || (lastTerm === termAt(node, last) && index >= last);
  const granted = term === node.term && upToDate && (node.votedFor === null || node.votedFor === ctx.from);
  if (granted) {
    node.votedFor = ctx.from;
    awaitLeader(ctx);
  }
  ctx.send(ctx.from, { type: 'vote', term: node.term, granted });
}

function countVote(node: Node, { term, granted }: Of<'vote'>, ctx: Ctx): void {
  if (node.role !== 'candidate' || term !== node.term || !granted || node.votes.includes(ctx.from)) return;
  node.votes.push(ctx.from);
  if (!isMajority(node.votes.length, ctx)) return;
  node.role = 'leader';
  ctx.cancelTimer('election');
  for (const peer of ctx.peers) {
    node.next[peer] = lastIndex(node) + 1;
    node.match[peer] = 0;
  }
  lead(node, ctx);
}

const isMajority = (count: number, ctx: Ctx): boolean => count * 2 > ctx.peers.length + 1;

/** Sends each node its missing entries, or a heartbeat. */
function lead(node: Node, ctx: Ctx): void {
  for (const peer of ctx.peers) sendEntries(node, peer, ctx);
  ctx.setTimer('heartbeat', 50);
}

function sendEntries(node: Node, peer: string, ctx: Ctx): void {
  const prevIndex = Math.max(node.base, (node.next[peer] ?? 1) - 1);
  const from = prevIndex - node.base;
  ctx.send(peer, {
    type: 'append',
    term: node.term,
    prevIndex,
    prevTerm: termAt(node, prevIndex),
    entries: node.log.slice(from, from + ENTRIES_PER_APPEND),
    commit: node.commit,
    everywhere: node.everywhere,
  });
}

function take(node: Node, { command }: Of<'command'>, ctx: Ctx): void {
  if (node.role !== 'leader' || node.log.length >= LOG_MAX) return;
  node.log.push({ term: node.term, command });
  for (const peer of ctx.peers) if (node.next[peer] === lastIndex(node)) sendEntries(node, peer, ctx);
}

function append(node: Node, message: Of<'append'>, ctx: Ctx): void {
  const { term, prevIndex, prevTerm, entries } = message;
  if (term < node.term) return ctx.send(ctx.from, { type: 'appended', term: node.term, matched: false, index: 0 });
  node.role = 'follower';
  awaitLeader(ctx);
  // Entries before `base` are committed everywhere, so they match.
  if (prevIndex > node.base && termAt(node, prevIndex) !== prevTerm) {
    const index = Math.min(lastIndex(node), prevIndex - 1);
    return ctx.send(ctx.from, { type: 'appended', term: node.term, matched: false, index });
  }
  for (const [at, entry] of entries.entries()) write(node, prevIndex + 1 + at, entry);
  const index = prevIndex + entries.length;
  node.commit = Math.max(node.commit, Math.min(message.commit, index));
  forget(node, message.everywhere);
  ctx.send(ctx.from, { type: 'appended', term: node.term, matched: true, index });
}

/** A conflicting entry replaces the old one and all entries after it. */
function write(node: Node, index: number, entry: Entry): void {
  if (index <= node.base || termAt(node, index) === entry.term) return;
  node.log.length = index - node.base - 1;
  node.log.push(entry);
}

function advance(node: Node, { term, matched, index }: Of<'appended'>, ctx: Ctx): void {
  if (node.role !== 'leader' || term !== node.term) return;
  if (!matched) {
    node.next[ctx.from] = Math.max(node.base, index) + 1;
    return sendEntries(node, ctx.from, ctx);
  }
  if (index <= (node.match[ctx.from] ?? 0)) return;
  node.match[ctx.from] = index;
  node.next[ctx.from] = index + 1;
  commit(node, ctx);
  if (index < lastIndex(node)) sendEntries(node, ctx.from, ctx);
}

/** Commits entries of this term that a majority has; drops entries that all have. */
function commit(node: Node, ctx: Ctx): void {
  const matches = [lastIndex(node), ...ctx.peers.map((peer) => node.match[peer] ?? 0)].sort((a, b) => b - a);
  const majority = matches[matches.length >> 1] as number;
  if (majority > node.commit && termAt(node, majority) === node.term) node.commit = majority;
  forget(node, Math.min(node.commit, matches.at(-1) as number));
}

function forget(node: Node, everywhere: number): void {
  node.everywhere = Math.max(node.everywhere, everywhere);
  const surplus = Math.min(node.everywhere, lastIndex(node) - LOG_KEPT) - node.base;
  if (surplus <= 0) return;
  node.baseTerm = termAt(node, node.base + surplus);
  node.base += surplus;
  node.log.splice(0, surplus);
}

export const nodeNames = ['n1', 'n2', 'n3', 'n4', 'n5'] as const;

export const raftLike = (timers: Timing): ResolvedSystem =>
  resolveSystem(defineSystem({ processes: Object.fromEntries(nodeNames.map((name) => [name, raftNode])), timers }));

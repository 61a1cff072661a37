import { behavior, type Behavior, type Context } from 'culprit';
import type { Bug } from './bugs.ts';
import type { Message } from './messages.ts';

/** Runs the tasks of one application in containers that it asks for. */
export interface AppMaster {
  phase: 'idle' | 'working' | 'unregistering' | 'finished';
  /** The epoch of the resource manager that last launched it, or asked for its progress. */
  epoch: number;
  /** Tasks that wait for a container. */
  asking: number;
  /** Nodes with a container in which a task runs. */
  running: string[];
  /** Nodes with a container in which a task has run; they are given back as soon as something is asked for. */
  spare: string[];
  /** Nodes on which a task has failed: the blacklist. */
  bad: string[];
}

type Ctx = Context<Message>;

export interface Job {
  readonly nodes: readonly string[];
  readonly tasks: number;
  readonly bug: Bug;
}

export const appMasterOf = (job: Job): Behavior<AppMaster, Message> =>
  behavior<AppMaster, Message>({
    start: () => ({ phase: 'idle', epoch: 0, asking: 0, running: [], spare: [], bad: [] }),
    receive(state, message, ctx) {
      if (message.type === 'launch') launch(state, message.epoch, job, ctx);
      if (message.type === 'unregistered' && state.phase === 'unregistering') {
        state.phase = 'finished';
        ctx.send('client', { type: 'finished' });
      }
      if (state.phase !== 'working') return;
      if (message.type === 'offer') take(state, message.node, job, ctx);
      if (message.type === 'done' && state.running.includes(message.node)) succeed(state, message.node, ctx);
      if (message.type === 'down') fail(state, ctx.from, job, ctx);
    },
    returned(state, message, to, ctx) {
      if (message.type === 'start') fail(state, to, job, ctx);
    },
  });

/**
 * The first time, everything remains to be done. Later it comes from a resource manager that remembers only the
 * application.
 */
function launch(state: AppMaster, epoch: number, { tasks, bug }: Job, ctx: Ctx): void {
  if (state.phase === 'unregistering') {
    ctx.send('rm', { type: 'unregister' });
    return;
  }
  if (state.phase !== 'working')
    Object.assign(state, { phase: 'working', asking: tasks, running: [], spare: [], bad: [] });
  state.epoch = epoch;
  state.spare = [];
  ctx.send('rm', { type: 'register', epoch, holds: state.running, ask: state.asking, avoid: toAvoid(state, [], bug) });
}

/**
 * MapReduce-5489: each bad node is reported once, when it turns out to be bad, and never to a later resource manager.
 */
const toAvoid = (state: AppMaster, news: readonly string[], bug: Bug): readonly string[] =>
  bug === 'mapreduce-5489' ? news : state.bad;

function take(state: AppMaster, node: string, { bug }: Job, ctx: Ctx): void {
  if (state.bad.includes(node)) {
    allocate(state, { release: [node], ask: 1, avoid: toAvoid(state, [], bug) }, ctx);
    return;
  }
  state.asking -= 1;
  state.running = [...state.running, node].sort();
  ctx.send(node, { type: 'start' });
}

function succeed(state: AppMaster, node: string, ctx: Ctx): void {
  state.running = without(state.running, node);
  if (state.asking > 0) allocate(state, { release: [node], ask: 0, avoid: [] }, ctx);
  else if (state.running.length > 0) state.spare = [...state.spare, node].sort();
  else unregister(state, ctx);
}

function fail(state: AppMaster, node: string, { nodes, bug }: Job, ctx: Ctx): void {
  if (!state.running.includes(node)) return;
  const release = [node, ...state.spare];
  state.running = without(state.running, node);
  state.asking += 1;
  state.spare = [];
  state.bad = [...state.bad, node].sort();
  if (state.bad.length === nodes.length) unregister(state, ctx);
  else allocate(state, { release, ask: 1, avoid: toAvoid(state, [node], bug) }, ctx);
}

type Changes = Pick<Extract<Message, { type: 'allocate' }>, 'release' | 'ask' | 'avoid'>;

const allocate = ({ epoch }: AppMaster, changes: Changes, ctx: Ctx): void =>
  ctx.send('rm', { type: 'allocate', epoch, ...changes });

/** The application is over: done, or abandoned because no node is left. */
function unregister(state: AppMaster, ctx: Ctx): void {
  state.phase = 'unregistering';
  state.spare = [];
  ctx.send('rm', { type: 'unregister' });
}

const without = (nodes: readonly string[], node: string): string[] => nodes.filter((other) => other !== node);

import { behavior, type Behavior, type Context } from 'culprit';
import type { Bug } from './bugs.ts';
import type { Message } from './messages.ts';

/** Gives out containers, one for each node, and keeps on its disk which application there is to run. */
export interface ResourceManager {
  /** `storing` and `removing`: the write that makes it so is not durable yet. */
  app: 'none' | 'storing' | 'running' | 'removing' | 'finished';
  /** How often it has restarted. */
  epoch: number;
  wanted: number;
  granted: string[];
  avoided: string[];
}

type Ctx = Context<Message>;

const APPLICATION = 'application';

export const resourceManagerOf = (nodes: readonly string[], bug: Bug): Behavior<ResourceManager, Message> =>
  behavior<ResourceManager, Message>({
    start(ctx) {
      const stored = ctx.disk.peek(APPLICATION);
      if (stored === 'submitted') ctx.send('am', { type: 'launch', epoch: ctx.restarts });
      return { app: appOf(stored), epoch: ctx.restarts, wanted: 0, granted: [], avoided: [] };
    },
    receive(state, message, ctx) {
      if (message.type === 'submit' && state.app === 'none') store(state, ctx);
      if (state.app !== 'running') return;
      if (message.type === 'register' || message.type === 'allocate') {
        if (message.epoch !== state.epoch) return;
        note(state, message);
        offer(state, nodes, ctx);
      }
      if (message.type === 'unregister') {
        remove(state, ctx);
        // MapReduce-5505: the answer does not wait until the application is off the disk.
        if (bug === 'mapreduce-5505') ctx.send('am', { type: 'unregistered' });
      }
      // No second attempt: with its master the application is gone.
      if (message.type === 'down' && ctx.from === 'am') remove(state, ctx);
    },
    returned(state, message, _to, ctx) {
      if (message.type === 'launch' && state.app === 'running') remove(state, ctx);
    },
    wrote(state, _key, ctx) {
      if (state.app === 'storing') {
        state.app = 'running';
        ctx.send('am', { type: 'launch', epoch: state.epoch });
        return;
      }
      state.app = 'finished';
      if (bug !== 'mapreduce-5505') ctx.send('am', { type: 'unregistered' });
    },
  });

function appOf(stored: unknown): ResourceManager['app'] {
  if (stored === 'submitted') return 'running';
  return stored === 'removed' ? 'finished' : 'none';
}

function store(state: ResourceManager, ctx: Ctx): void {
  state.app = 'storing';
  void ctx.disk.write(APPLICATION, 'submitted');
}

function remove(state: ResourceManager, ctx: Ctx): void {
  state.app = 'removing';
  void ctx.disk.write(APPLICATION, 'removed');
}

function note(state: ResourceManager, message: Extract<Message, { type: 'register' | 'allocate' }>): void {
  if (message.type === 'register') state.granted = [...message.holds];
  else state.granted = state.granted.filter((node) => !message.release.includes(node));
  state.wanted += message.ask;
  state.avoided = [...new Set([...state.avoided, ...message.avoid])].sort();
}

/** Nodes are taken as they come: one that is free and not to be avoided. Whether it is up only its user will find out. */
function offer(state: ResourceManager, nodes: readonly string[], ctx: Ctx): void {
  const free = nodes.filter((node) => !state.granted.includes(node) && !state.avoided.includes(node));
  for (const node of free.slice(0, state.wanted)) {
    state.wanted -= 1;
    state.granted = [...state.granted, node].sort();
    ctx.send('am', { type: 'offer', node });
  }
}

import type { AnyBehavior, Context } from '../kernel/behavior.ts';
import { isPromise } from '../kernel/handling.ts';
import type { Io } from '../kernel/uncontrolled/io.ts';
import { InitAnswer, isIo, nodeContext, type Cluster } from './node-context.ts';
import type { Body } from './protocol/body.ts';
import { CONTROL } from './protocol/names.ts';

/**
 * A node of a cluster. Its first messages are `init` and, in some workloads, `topology`: they are part of its start and of every
 * restart, so that nothing can come before them. A message to a process that does not exist, or without a body, goes to the control process.
 */
export function nodeOf(inner: AnyBehavior, cluster: Cluster): AnyBehavior {
  const { blocking, host, code = handlersOf(inner) } = inner;
  const within = (ctx: Context<unknown>): Context<unknown> => nodeContext(ctx, cluster, ctx.from);
  return {
    start(ctx) {
      if (isIo(ctx)) return startedProgram(inner, ctx, cluster);
      const made = inner.start(within(ctx));
      return isPromise(made)
        ? made.then((state) => begun(inner, state as object, ctx, cluster))
        : begun(inner, made, ctx, cluster);
    },
    receive: (state, body, ctx) => inner.receive(state, body, within(ctx)),
    ...(inner.timer === undefined ? {} : { timer: (state, name, ctx) => inner.timer?.(state, name, within(ctx)) }),
    ...(inner.wrote === undefined ? {} : { wrote: (state, key, ctx) => inner.wrote?.(state, key, within(ctx)) }),
    ...(inner.returned === undefined
      ? {}
      : { returned: (state, body, to, ctx) => inner.returned?.(state, body, to, within(ctx)) }),
    ...(inner.view === undefined ? {} : { view: (state) => inner.view?.(state) ?? {} }),
    ...(inner.setPaused === undefined ? {} : { setPaused: (state, isPaused) => inner.setPaused?.(state, isPaused) }),
    ...(inner.close === undefined ? {} : { close: (state, ending) => inner.close?.(state, ending) }),
    ...(blocking === undefined ? {} : { blocking }),
    ...(host === undefined ? {} : { host }),
    code,
  };
}

type Handlers = { readonly [K in 'start' | 'receive']: (...args: never) => unknown };

/** The functions of the user, for stories that name them. */
const handlersOf = ({ start, receive }: Handlers): Handlers => ({ start, receive });

type Pending = void | Promise<void>;

/** The state of a node that has handled its first messages. */
function begun(inner: AnyBehavior, state: object, ctx: Context<unknown>, cluster: Cluster): object | Promise<object> {
  const context = nodeContext(ctx, cluster, CONTROL);
  const handle = (body: Body): Pending => inner.receive(state, body, context);
  const handled = firstMessages(ctx.self, cluster).reduce<Pending>(
    (before, body) => (isPromise(before) ? before.then(() => handle(body)) : handle(body)),
    undefined,
  );
  return isPromise(handled) ? handled.then(() => state) : state;
}

/** The same of a program, which gets further messages when it has answered `init`. */
async function startedProgram(inner: AnyBehavior, ctx: Context<unknown> & Io, cluster: Cluster): Promise<object> {
  const init = new InitAnswer();
  const state = await inner.start(nodeContext(ctx, cluster, ctx.from, init));
  const context = nodeContext(ctx, cluster, CONTROL);
  for (const body of firstMessages(ctx.self, cluster)) {
    await inner.receive(state, body, context);
    await init.within(cluster.initMs, ctx.clock);
  }
  if (!init.isHere) ctx.send(CONTROL, { type: 'silent' });
  return state;
}

const firstMessages = (self: string, { nodes, topology }: Cluster): Body[] => [
  { type: 'init', msg_id: 1, node_id: self, node_ids: nodes },
  ...(topology === undefined ? [] : [{ type: 'topology', msg_id: 2, topology }]),
];

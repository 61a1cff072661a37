import type { AnyBehavior, Context, SendOptions } from '../kernel/behavior.ts';
import { isPromise } from '../kernel/handling.ts';
import type { Io } from '../kernel/uncontrolled/io.ts';
import { brief, whyNoBody, type Body } from './protocol/body.ts';
import { CONTROL } from './protocol/names.ts';

/** What a node learns at its start, and the processes it may write to. */
export interface Cluster {
  readonly nodes: readonly string[];
  /** Everybody who can get a message: nodes, clients and services. */
  readonly names: ReadonlySet<string>;
  /** The neighbors of each node, for workloads that tell them. */
  readonly topology?: Readonly<Record<string, readonly string[]>>;
}

/**
 * A node of a cluster. Its first messages are `init` and, in some workloads, `topology`: they are part of its start and of every
 * restart, so that nothing can come before them. A message to a process that does not exist, or without a body, goes to the control process.
 */
export function nodeOf(inner: AnyBehavior, cluster: Cluster): AnyBehavior {
  const { timer, wrote, returned, view, close, blocking, host } = inner;
  const within = (ctx: Context<unknown>): Context<unknown> => nodeContext(ctx, cluster, ctx.from);
  return {
    start(ctx) {
      const made = inner.start(within(ctx));
      return isPromise(made)
        ? made.then((state) => begun(inner, state as object, ctx, cluster))
        : begun(inner, made, ctx, cluster);
    },
    receive: (state, body, ctx) => inner.receive(state, body, within(ctx)),
    ...(timer === undefined ? {} : { timer: (state, name, ctx) => inner.timer?.(state, name, within(ctx)) }),
    ...(wrote === undefined ? {} : { wrote: (state, key, ctx) => inner.wrote?.(state, key, within(ctx)) }),
    ...(returned === undefined
      ? {}
      : { returned: (state, body, to, ctx) => inner.returned?.(state, body, to, within(ctx)) }),
    ...(view === undefined ? {} : { view: (state) => inner.view?.(state) ?? {} }),
    ...(close === undefined ? {} : { close: (state, ending) => inner.close?.(state, ending) }),
    ...(blocking === undefined ? {} : { blocking }),
    ...(host === undefined ? {} : { host }),
    code: inner.code ?? { start: inner.start, receive: inner.receive },
  };
}

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

const firstMessages = (self: string, { nodes, topology }: Cluster): Body[] => [
  { type: 'init', msg_id: 1, node_id: self, node_ids: nodes },
  ...(topology === undefined ? [] : [{ type: 'topology', msg_id: 2, topology }]),
];

/** The context of a node: it knows the other nodes only, and its messages are checked. */
function nodeContext(ctx: Context<unknown>, cluster: Cluster, from: string): Context<unknown> {
  const send = (to: string, body: unknown, options?: SendOptions): void => {
    const problem = problemWith(to, body, cluster);
    if (problem === undefined) ctx.send(to, body, options);
    else ctx.send(CONTROL, problem);
  };
  const own: Partial<Context<unknown> & Pick<Io, 'declared'>> = {
    from,
    peers: cluster.nodes.filter((name) => name !== ctx.self),
    send,
    reply: (body) => (from === ctx.from ? ctx.reply(body) : send(from, body)),
    ...('declared' in ctx ? { declared: new AnyReceiver((ctx as unknown as Io).declared) } : {}),
  };
  return new Proxy(ctx, {
    get(target, name) {
      if (Object.hasOwn(own, name)) return own[name as keyof typeof own];
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

/** The receivers of a program: it may write to anybody, because the control process answers for those that do not exist. */
class AnyReceiver<V> extends Map<string, V> {
  override has(): boolean {
    return true;
  }
}

/** The message to the control process about a message that cannot be sent. */
function problemWith(to: unknown, body: unknown, { names }: Cluster): Body | undefined {
  const why = whyNoBody(body);
  if (why !== undefined) return { type: 'malformed', text: `sent ${brief(body)}: ${why}` };
  if (typeof to === 'string' && names.has(to)) return undefined;
  return { type: 'undeliverable', dest: to, body };
}

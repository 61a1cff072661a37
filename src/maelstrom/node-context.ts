import type { Context, SendOptions } from '../kernel/behavior.ts';
import type { Io } from '../kernel/uncontrolled/io.ts';
import { brief, isObject, whyNoBody, type Body } from './protocol/body.ts';
import { CONTROL } from './protocol/names.ts';

/** What a node learns at its start, and the processes it may write to. */
export interface Cluster {
  readonly nodes: readonly string[];
  /** Everybody who can get a message: nodes, clients and services. */
  readonly names: ReadonlySet<string>;
  /** How long a program may take to answer `init`. */
  readonly initMs: number;
  /** The neighbors of each node, for workloads that tell them. */
  readonly topology?: Readonly<Record<string, readonly string[]>>;
}

/** The context of a node: it knows the other nodes only, and its messages are checked. */
export function nodeContext(
  ctx: Context<unknown>,
  cluster: Cluster,
  from: string,
  init?: InitAnswer,
): Context<unknown> {
  const send = (to: string, body: unknown, options?: SendOptions): void => {
    const problem = problemWith(to, body, cluster);
    if (init !== undefined && to === CONTROL && isObject(body) && init.takes(body)) return;
    if (problem === undefined) ctx.send(to, body, options);
    else ctx.send(CONTROL, problem);
  };
  const own: Partial<Context<unknown> & Io> = {
    from,
    peers: cluster.nodes.filter((name) => name !== ctx.self),
    send,
    reply: (body) => (from === ctx.from ? ctx.reply(body) : send(from, body)),
    ...(isIo(ctx) ? ofProgram(ctx, init) : {}),
  };
  return new Proxy(ctx, {
    get(target, name) {
      if (Object.hasOwn(own, name)) return own[name as keyof typeof own];
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

/** What a process gets that runs by itself. */
export const isIo = (ctx: object): ctx is Io => 'clock' in ctx;

/** A program that ends, or does something wrong, does not answer any more. */
const ofProgram = (io: Io, init: InitAnswer | undefined): Pick<Io, 'declared' | 'exited' | 'failed'> => ({
  declared: new AnyReceiver(io.declared),
  exited(how) {
    io.exited(how);
    init?.came();
  },
  failed(error) {
    io.failed(error);
    init?.came();
  },
});

/** The answer to `init` of a program, which may take its time: some need seconds to start. */
export class InitAnswer {
  isHere = false;
  private wake: (() => void) | undefined;

  came(): void {
    this.isHere = true;
    this.wake?.();
  }

  /**
   * Whether it is the answer to one of the first messages. The start of the program waits for it, so it is no event: one that waits
   * to be delivered while other programs start would only slow down replays.
   */
  takes({ type }: Readonly<Record<string, unknown>>): boolean {
    if (type === 'init_ok') this.came();
    return type === 'init_ok' || type === 'topology_ok';
  }

  /** Resolves when it has come, or after so many milliseconds without it. */
  async within(ms: number, clock: Io['clock']): Promise<void> {
    if (this.isHere) return;
    await clock.wait(ms, (wake) => {
      this.wake = wake;
    });
  }
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

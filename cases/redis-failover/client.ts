import { behavior } from 'culprit';
import type { Behavior, Context } from 'culprit/kernel';
import type { Command, Order, Reply, Request, Stopped } from './messages.ts';

type Message = Request | Order | Stopped | Reply | Command;

interface State {
  /** The server it uses; undefined between two servers, and if the primary has no replica that takes its writes. */
  server: string | undefined;
  /** What it does now, the number of the call, and what it has still to do. */
  now: Request['type'] | undefined;
  call: number;
  readonly queue: Request[];
  /** The operator has asked it to stop. */
  isStopping: boolean;
}

/** How long a write waits for the replica. */
const WAIT_MS = 200;

/**
 * Reads and writes one key, one request after the other. With `waits`, a write counts only when the replica has it, and the client
 * uses the primary no more if the replica does not get it.
 */
export const client = (waits: boolean): Behavior<State, Message> =>
  behavior<State, Message>({
    start: () => ({ server: 'primary', now: undefined, call: 0, queue: [], isStopping: false }),
    receive(state, message, ctx) {
      if (ctx.from === 'environment') state.queue.push(message as Request);
      else if (ctx.from === 'operator') takeOrder(state, message as Order);
      else takeReply(state, message as Reply, ctx, waits && ctx.from === 'primary');
      if (state.now !== undefined) return;
      if (state.isStopping) stop(state, ctx);
      else begin(state, ctx, waits);
    },
  });

function takeOrder(state: State, order: Order): void {
  if (order.type === 'stop') state.isStopping = true;
  else state.server = order.server;
}

function stop(state: State, ctx: Context<Message>): void {
  state.isStopping = false;
  state.server = undefined;
  ctx.send('operator', { type: 'stopped' });
}

function begin(state: State, ctx: Context<Message>, waits: boolean): void {
  const { server } = state;
  const request = server === undefined ? undefined : state.queue.shift();
  if (server === undefined || request === undefined) return;
  const input = request.type === 'read' ? { f: 'read' } : { f: 'write', value: String(request.value) };
  state.now = request.type;
  state.call = ctx.history.call(input);
  if (request.type === 'read') return ctx.send(server, ['GET', 'x']);
  ctx.send(server, ['SET', 'x', request.value]);
  if (waits && server === 'primary') ctx.send(server, ['WAIT', 1, WAIT_MS]);
}

/** Only a write that waits has two replies: that it is done, and how many replicas have it. */
function takeReply(state: State, { type, content }: Reply, { history }: Context<Message>, waits: boolean): void {
  const { now, call } = state;
  if (now === undefined) return;
  if (type === 'error') history.fail(call);
  else if (now === 'read') history.return(call, content);
  else if (!waits || (type === 'integer' && content === 1)) history.return(call);
  else if (type !== 'integer') return;
  else state.server = undefined;
  state.now = undefined;
}

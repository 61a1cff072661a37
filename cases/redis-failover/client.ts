import { behavior } from 'culprit';
import type { Context } from 'culprit/kernel';
import type { Command, Promoted, Reply, Request } from './messages.ts';

type Message = Request | Promoted | Reply | Command;

interface State {
  /** The server it uses; undefined if it gave up on the primary. */
  server: string | undefined;
  /** What it does now, and the number of the call. */
  now: { readonly request: Request; readonly call: number; acknowledged: boolean } | undefined;
  readonly queue: Request[];
}

/** How long a write waits for the replica. */
const WAIT_MS = 200;

/**
 * Reads and writes one key, one request after the other. With `waits`, a write counts only when the replica has it, and the client
 * uses the primary no more if the replica does not get it.
 */
export const client = (waits: boolean) =>
  behavior<State, Message>({
    start: () => ({ server: 'primary', now: undefined, queue: [] }),
    receive(state, message, ctx) {
      if (isPromoted(message)) state.server = message.server;
      else if (ctx.from === 'environment') state.queue.push(message as Request);
      else takeReply(state, message as Reply, ctx, waits && ctx.from === 'primary');
      if (state.now === undefined) begin(state, ctx, waits);
    },
  });

const isPromoted = (message: Message): message is Promoted => 'type' in message && message.type === 'promoted';

function begin(state: State, ctx: Context<Message>, waits: boolean): void {
  const { server } = state;
  const request = server === undefined ? undefined : state.queue.shift();
  if (server === undefined || request === undefined) return;
  const input = request.type === 'read' ? { f: 'read' } : { f: 'write', value: String(request.value) };
  state.now = { request, call: ctx.history.call(input), acknowledged: false };
  if (request.type === 'read') return ctx.send(server, ['GET', 'x']);
  ctx.send(server, ['SET', 'x', request.value]);
  if (waits && server === 'primary') ctx.send(server, ['WAIT', 1, WAIT_MS]);
}

/** Only a write that waits has two replies: that it is done, and how many replicas have it. */
function takeReply(state: State, { type, content }: Reply, { history }: Context<Message>, waits: boolean): void {
  const { now } = state;
  if (now === undefined) return;
  if (type === 'error') history.fail(now.call);
  else if (now.request.type === 'read') history.return(now.call, content);
  else if (!waits || (type === 'integer' && content === 1)) history.return(now.call);
  else if (type !== 'integer') return;
  else state.server = undefined;
  state.now = undefined;
}

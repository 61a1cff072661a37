import type { Behavior, Context } from '../kernel/behavior.ts';
import { ENVIRONMENT } from '../trace/event.ts';
import { brief, withoutNumbers, type Body } from './protocol/body.ts';
import { errorReply, NODE_NOT_FOUND } from './protocol/error-codes.ts';

/** How the final state of nodes is read, once the environment has healed everything. */
export interface FinalReads {
  /** The next request to a node, given what its earlier answers were. */
  readonly request: (seen: unknown) => Body;
  /** What is known of a node after this answer; undefined if it is no answer to the request. */
  readonly learn: (seen: unknown, reply: Body) => Learned | undefined;
}

export interface Learned {
  readonly seen: unknown;
  /** Whether there is more to read at once. */
  readonly hasMore?: boolean;
}

/** How often nodes are read at the end. */
export interface Settling {
  readonly everyMs: number;
  /** The tick of the timer at which nodes are read first, and the number of ticks between two reads. */
  readonly firstRead: number;
  readonly ticksPerRead: number;
  /** The number of reads of nodes that culprit does not control. It ends earlier if two in a row give the same. */
  readonly readsMax?: number;
}

export interface ControlState {
  /** How often each node has answered `init`. */
  readonly initialized: Record<string, number>;
  /** What nodes did that the protocol does not allow. */
  readonly problems: { readonly node: string; readonly text: string; readonly kind: string }[];
  /** The `msg_id` of the next read. */
  nextId: number;
  /** Ticks of the timer since the final reads began; undefined before. */
  ticks?: number;
  /** Whether no further read will be made. */
  isOver: boolean;
  /** By node: the `msg_id` of the last read that it answered, and of the last one after which there was no more to read. */
  readonly answered: Record<string, number>;
  readonly complete: Record<string, number>;
  /** What is known of each node. */
  readonly final: Record<string, unknown>;
  /** What was known at the read before, as text. */
  before: string;
}

/** The first messages to a node have the numbers before. */
const FIRST_READ = 3;

/** The external that makes the control process read the final state of all nodes. */
export const READ_FINAL_STATE: Body = { type: 'final' };

/** The control process: it gets the answers to `init`, the problems of nodes, and reads their final states. */
export const controlOf = (
  nodes: readonly string[],
  final: FinalReads | undefined,
  settling: Settling,
): Behavior<ControlState, Body> => ({
  start: () => ({
    initialized: {},
    problems: [],
    nextId: FIRST_READ,
    isOver: false,
    answered: {},
    complete: {},
    final: {},
    before: '',
  }),
  receive(state, body, ctx) {
    const { in_reply_to: id = FIRST_READ } = body;
    if (ctx.from === ENVIRONMENT) {
      state.ticks = 0;
      ctx.repeatTimer('settle', settling.everyMs);
    } else if (body.type === 'init_ok') state.initialized[ctx.from] = (state.initialized[ctx.from] ?? 0) + 1;
    else if (body.type === 'malformed') note(state, ctx.from, String(body['text']), 'malformed');
    else if (body.type === 'undeliverable') refuse(state, body, ctx);
    else if (body.type === 'error' && id < FIRST_READ)
      note(state, ctx.from, `answered ${id === 1 ? 'init' : 'topology'} with ${brief(body)}`, 'refused');
    else if (final !== undefined) takeAnswer(state, body, ctx, final);
  },
  timer(state, _timer, ctx) {
    state.ticks = (state.ticks ?? 0) + 1;
    const since = state.ticks - settling.firstRead;
    if (final !== undefined && since >= 0 && since % settling.ticksPerRead === 0)
      readAll(state, ctx, nodes, final, settling);
  },
});

const note = ({ problems }: ControlState, node: string, text: string, kind: string): void => {
  problems.push({ node, text, kind });
};

function refuse(state: ControlState, { dest, body }: Body, ctx: Context<Body>): void {
  const request = body as Body;
  const text = `${brief(dest)} does not exist`;
  note(
    state,
    ctx.from,
    `sent ${brief(withoutNumbers(request))} to ${brief(dest)}, which does not exist`,
    'undeliverable',
  );
  if (request.msg_id !== undefined) ctx.send(ctx.from, errorReply(request, NODE_NOT_FOUND, text));
}

function readAll(
  state: ControlState,
  ctx: Context<Body>,
  nodes: readonly string[],
  final: FinalReads,
  { readsMax }: Settling,
): void {
  if (readsMax !== undefined) {
    const now = JSON.stringify(nodes.map((node) => state.final[node]));
    const isSame = now === state.before && nodes.every((node) => state.complete[node] !== undefined);
    state.isOver = isSame || state.nextId > FIRST_READ + readsMax * nodes.length;
    state.before = now;
    if (state.isOver) return ctx.cancelTimer('settle');
  }
  for (const node of nodes) read(state, ctx, node, final);
}

const read = (state: ControlState, ctx: Context<Body>, node: string, { request }: FinalReads): void =>
  ctx.send(node, { ...request(state.final[node]), msg_id: state.nextId++ });

/** An answer to an older read than the last one that was answered may show an older state: it does not count. */
function takeAnswer(state: ControlState, body: Body, ctx: Context<Body>, final: FinalReads): void {
  const { in_reply_to: id = 0 } = body;
  const node = ctx.from;
  if (id < FIRST_READ || id <= (state.answered[node] ?? 0)) return;
  const learned = final.learn(state.final[node], body);
  if (learned === undefined) return;
  state.answered[node] = id;
  state.final[node] = learned.seen;
  if (learned.hasMore === true) read(state, ctx, node, final);
  else state.complete[node] = id;
}

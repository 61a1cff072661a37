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
  /** A text that is equal for nodes that agree. */
  readonly summary: (seen: unknown) => string;
}

export interface Learned {
  readonly seen: unknown;
  /** Whether there is more to read at once. */
  readonly hasMore?: boolean;
}

/** When nodes are read at the end. */
export interface Settling {
  readonly everyMs: number;
  /** Whether nodes are read at this tick of the timer. */
  readonly readsAt: (tick: number) => boolean;
  /** The tick of the last read, for nodes that culprit does not control. The reads end earlier if all nodes agree, twice on the same. */
  readonly lastTick?: number;
}

export interface ControlState {
  /** How often each node has answered `init`. */
  readonly initialized: Record<string, number>;
  /** What nodes did that the protocol does not allow. */
  readonly problems: { readonly node: string; readonly text: string; readonly kind: string }[];
  /** The `msg_id` of the next read. */
  nextId: number;
  /** The `msg_id` of the first of the reads that were sent last, one to each node. */
  firstId: number;
  /** Ticks of the timer since the final reads began; undefined before. */
  ticks?: number;
  /** Whether no further read will be made. */
  isOver: boolean;
  /** By node: the `msg_id` of the last read that it answered, and of the last one after which there was no more to read. */
  readonly answered: Record<string, number>;
  readonly complete: Record<string, number>;
  /** What is known of each node. */
  readonly final: Record<string, unknown>;
  /** What all nodes agreed on at the read before; empty if they did not. */
  agreed: string;
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
    firstId: FIRST_READ,
    isOver: false,
    answered: {},
    complete: {},
    final: {},
    agreed: '',
  }),
  receive(state, body, ctx) {
    const { in_reply_to: id = FIRST_READ } = body;
    if (ctx.from === ENVIRONMENT) {
      state.ticks = 0;
      ctx.repeatTimer('settle', settling.everyMs);
    } else if (body.type === 'init_ok') state.initialized[ctx.from] = (state.initialized[ctx.from] ?? 0) + 1;
    else if (body.type === 'silent') note(state, ctx.from, 'did not answer init', 'no init_ok');
    else if (body.type === 'malformed') note(state, ctx.from, String(body['text']), 'malformed');
    else if (body.type === 'undeliverable') refuse(state, body, ctx);
    else if (body.type === 'error' && id < FIRST_READ)
      note(state, ctx.from, `answered ${id === 1 ? 'init' : 'topology'} with ${brief(body)}`, 'refused');
    else if (final !== undefined && takeAnswer(state, body, ctx, final))
      endIfSettled(state, ctx, nodes, final, settling);
  },
  timer(state, _timer, ctx) {
    state.ticks = (state.ticks ?? 0) + 1;
    const { lastTick = Infinity } = settling;
    // A node that does not answer the last read is not awaited forever: nothing is known then.
    if (state.ticks > 2 * lastTick) ctx.cancelTimer('settle');
    else if (final !== undefined && isRead(state, settling)) {
      state.firstId = state.nextId;
      for (const node of nodes) read(state, ctx, node, final);
    }
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

/** Ends the final reads of nodes that culprit does not control, when all have answered the last ones. */
function endIfSettled(
  state: ControlState,
  ctx: Context<Body>,
  nodes: readonly string[],
  final: FinalReads,
  { lastTick }: Settling,
): void {
  const { ticks = 0, complete, firstId } = state;
  if (lastTick === undefined || nodes.some((node) => (complete[node] ?? 0) < firstId)) return;
  const agreed = agreement(state, nodes, final);
  state.isOver = ticks >= lastTick || (agreed !== '' && agreed === state.agreed);
  state.agreed = agreed;
  if (state.isOver) ctx.cancelTimer('settle');
}

/** Whether nodes are read at this tick: one that agreement is checked at, too. Nothing is read after the last tick. */
function isRead({ ticks = 0, agreed }: ControlState, { lastTick = Infinity, readsAt }: Settling): boolean {
  return ticks <= lastTick && (readsAt(ticks) || ticks === lastTick || agreed !== '');
}

/** What all nodes agree on, as text; empty if they do not. */
function agreement({ final }: ControlState, nodes: readonly string[], { summary }: FinalReads): string {
  const [first = '', ...others] = nodes.map((node) => `agreed on ${summary(final[node])}`);
  return others.every((other) => other === first) ? first : '';
}

const read = (state: ControlState, ctx: Context<Body>, node: string, { request }: FinalReads): void =>
  ctx.send(node, { ...request(state.final[node]), msg_id: state.nextId++ });

/**
 * Whether a node has answered a read completely. An answer to an older read than the last one that was answered may show an older state: it
 * does not count.
 */
function takeAnswer(state: ControlState, body: Body, ctx: Context<Body>, final: FinalReads): boolean {
  const { in_reply_to: id = 0 } = body;
  const node = ctx.from;
  if (state.isOver || id < FIRST_READ || id <= (state.answered[node] ?? 0)) return false;
  const learned = final.learn(state.final[node], body);
  if (learned === undefined) return false;
  state.answered[node] = id;
  state.final[node] = learned.seen;
  if (learned.hasMore === true) read(state, ctx, node, final);
  else state.complete[node] = id;
  return learned.hasMore !== true;
}

import type { Behavior, Context } from '../kernel/behavior.ts';
import { ENVIRONMENT } from '../trace/event.ts';
import { brief, withoutNumbers, type Body } from './protocol/body.ts';
import { isDefinite } from './protocol/error-codes.ts';
import type { Memory, Workload } from './workloads/workload.ts';

/** A request that the environment makes a client send, and the node to send it to. */
interface Invocation extends Body {
  readonly dest: string;
}

/** A request that has not been answered. */
interface OpenRequest {
  readonly id: number;
  readonly dest: string;
  readonly request: Body;
  /** Its number in the history. */
  readonly call: number;
}

export interface ClientState {
  nextId: number;
  open: OpenRequest | null;
  /** Invocations that wait for the open request: a client does one thing at a time. */
  readonly queue: Invocation[];
  readonly memory: Memory;
  /** Answers that the workload does not allow. */
  readonly problems: { readonly node: string; readonly text: string; readonly kind: string }[];
}

/** A client that crashes starts to count somewhere else, so that answers to its past do not confuse it. */
const IDS_PER_LIFE = 100_000;

/**
 * A client sends one request at a time and notes it in the history. A definite error is a result: the request had no effect. After
 * an indefinite error, or without an answer in time, the operation stays open, and the client continues with its next request.
 */
export const clientOf = (workload: Workload, timeoutMs: number | undefined): Behavior<ClientState, Body> => ({
  start: ({ restarts }) => ({
    nextId: restarts * IDS_PER_LIFE + 1,
    open: null,
    queue: [],
    memory: {},
    problems: [],
  }),
  receive(state, body, ctx) {
    if (ctx.from === ENVIRONMENT) state.queue.push(body as Invocation);
    else if (state.open !== null && body.in_reply_to === state.open.id && ctx.from === state.open.dest)
      answered(state, state.open, body, ctx, workload);
    invokeNext(state, ctx, workload, timeoutMs);
  },
  timer(state, _timer, ctx) {
    state.open = null;
    invokeNext(state, ctx, workload, timeoutMs);
  },
});

function invokeNext(state: ClientState, ctx: Context<Body>, workload: Workload, timeoutMs: number | undefined): void {
  if (state.open !== null) return;
  const next = state.queue.shift();
  if (next === undefined) return;
  const { dest, ...drawn } = next;
  const request = workload.prepare?.(drawn, state.memory) ?? drawn;
  const { input, key } = workload.noted?.call(request) ?? { input: { ...request, dest } };
  const call = ctx.history.call(input, key);
  const id = state.nextId++;
  state.open = { id, dest, request, call };
  ctx.send(dest, { ...request, msg_id: id });
  if (timeoutMs !== undefined) ctx.setTimer('timeout', timeoutMs);
}

function answered(
  state: ClientState,
  { dest, request, call }: OpenRequest,
  body: Body,
  ctx: Context<Body>,
  workload: Workload,
): void {
  state.open = null;
  ctx.cancelTimer('timeout');
  const reply = withoutNumbers(body);
  if (body.type === 'error') return failed(state, request, reply, ctx, call, workload);
  const why = workload.whyWrong(request, reply);
  if (why !== undefined) {
    const text = `answered ${brief(request)} of ${ctx.self} with ${brief(reply)}: ${why}`;
    state.problems.push({ node: dest, text, kind: 'wrong answer' });
    return;
  }
  workload.learn?.(state.memory, request, reply);
  ctx.history.return(call, workload.noted === undefined ? reply : workload.noted.output(request, reply));
}

function failed(
  state: ClientState,
  request: Body,
  reply: Body,
  ctx: Context<Body>,
  call: number,
  workload: Workload,
): void {
  const { code } = reply;
  if (!Number.isInteger(code)) {
    const text = `answered ${brief(request)} of ${ctx.self} with ${brief(reply)}: the code of an error is a whole number`;
    state.problems.push({ node: ctx.from, text, kind: 'wrong answer' });
  } else if (isDefinite(code as number)) {
    if (workload.noted === undefined) ctx.history.return(call, { type: 'error', code });
    else ctx.history.fail(call);
  }
}

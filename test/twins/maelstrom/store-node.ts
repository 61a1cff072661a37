import type { Behavior, Context } from 'culprit';
import type { AnyBehavior } from 'culprit/kernel';
import type { Body, WorkloadName } from 'culprit/maelstrom';

/** What a node may do wrong. */
export type StoreBug =
  | 'none'
  | 'blind writes'
  | 'own numbers'
  | 'skips'
  | 'stale'
  | 'last write wins'
  | 'torn'
  | 'unheard of';

type Ctx = Context<Body>;
type Change<T> = (before: T) => readonly [after: T, result: Body];

const asks = (ctx: Ctx, service: string, request: Body): PromiseLike<Body> =>
  ctx.ask(service, { msg_id: 1, ...request });

/** The value of a key; the first one if it has none. */
async function valueOf<T>(ctx: Ctx, service: string, key: string, first: T): Promise<T> {
  const { type, value } = await asks(ctx, service, { type: 'read', key });
  return type === 'read_ok' ? (value as T) : first;
}

/** Changes a value, again if another process changed it in between; a blind write does not look. */
async function changed<T>(ctx: Ctx, key: string, first: T, change: Change<T>, bug: StoreBug): Promise<Body> {
  for (;;) {
    const before = await valueOf(ctx, 'lin-kv', key, first);
    const [after, result] = change(before);
    const write: Body =
      bug === 'blind writes'
        ? { type: 'write', key, value: after }
        : { type: 'cas', key, from: before, to: after, create_if_not_exists: true };
    const { type } = await asks(ctx, 'lin-kv', write);
    if (type !== 'error') return result;
  }
}

type Handler = (body: Body, ctx: Ctx, state: { next: number }, bug: StoreBug) => Promise<Body> | Body;

const storeOf = (bug: StoreBug): string =>
  bug === 'stale' ? 'seq-kv' : bug === 'last write wins' ? 'lww-kv' : 'lin-kv';

async function passedOn(body: Body, ctx: Ctx, bug: StoreBug): Promise<Body> {
  const { in_reply_to: _, ...answer } = await asks(ctx, storeOf(bug), body);
  return answer;
}

type Log = [number, unknown][];

const kafka: Handler = async (body, ctx, _state, bug) => {
  if (body.type === 'send')
    return changed<Log>(
      ctx,
      `log ${String(body['key'])}`,
      [],
      (log) => [[...log, [log.length, body['msg']]], { type: 'send_ok', offset: log.length }],
      bug,
    );
  if (body.type === 'poll') {
    const msgs: Record<string, Log> = {};
    for (const [key, from] of Object.entries(body['offsets'] as Record<string, number>)) {
      const log = await valueOf<Log>(ctx, 'lin-kv', `log ${key}`, []);
      // At most two at a time: nodes need not return everything.
      const found = log.filter(([offset]) => offset >= from && !(bug === 'skips' && offset % 2 === 1)).slice(0, 2);
      msgs[key] = found;
    }
    return { type: 'poll_ok', msgs };
  }
  if (body.type === 'commit_offsets') {
    const offsets = body['offsets'] as Record<string, number>;
    return changed<Record<string, number>>(
      ctx,
      'committed',
      {},
      (all) => [{ ...all, ...offsets }, { type: 'commit_offsets_ok' }],
      bug,
    );
  }
  const committed = await valueOf<Record<string, number>>(ctx, 'lin-kv', 'committed', {});
  const keys = body['keys'] as string[];
  return {
    type: 'list_committed_offsets_ok',
    offsets: Object.fromEntries(keys.flatMap((key) => (committed[key] === undefined ? [] : [[key, committed[key]]]))),
  };
};

type Database = Record<string, unknown>;
type Steps = [string, number, unknown][];

function applied(database: Database, steps: Steps): [Database, Steps] {
  const next = { ...database };
  const done = steps.map(([f, key, value]): Steps[number] => {
    if (f === 'r') return [f, key, next[key] ?? null];
    next[key] = f === 'w' ? value : [...((next[key] as unknown[] | undefined) ?? []), value];
    return [f, key, value];
  });
  return [next, done];
}

const txn: Handler = async (body, ctx, _state, bug) => {
  const steps = body['txn'] as Steps;
  if (bug !== 'torn')
    return changed<Database>(
      ctx,
      'database',
      {},
      (database) => {
        const [after, done] = applied(database, steps);
        return [after, { type: 'txn_ok', txn: done }];
      },
      bug,
    );
  // Each step is a transaction of its own.
  const done: Steps = [];
  for (const step of steps) {
    const { txn: one } = await changed<Database>(
      ctx,
      'database',
      {},
      (database) => {
        const [after, result] = applied(database, [step]);
        return [after, { type: 'txn_ok', txn: result }];
      },
      bug,
    );
    done.push(...(one as Steps));
  }
  return { type: 'txn_ok', txn: done };
};

const adds =
  (element: string, elements: string): Handler =>
  (body, ctx, _state, bug) =>
    body.type === 'read'
      ? valueOf<unknown[]>(ctx, storeOf(bug), 'set', []).then((found) => ({
          type: 'read_ok',
          [elements]: bug === 'unheard of' ? [...found, 'x'] : found,
        }))
      : changed<unknown[]>(ctx, 'set', [], (set) => [[...set, body[element]], { type: `${body.type}_ok` }], bug);

const counts: Handler = (body, ctx, _state, bug) =>
  body.type === 'read'
    ? valueOf(ctx, 'lin-kv', 'sum', 0).then((value) => ({ type: 'read_ok', value }))
    : changed(ctx, 'sum', 0, (sum) => [sum + Number(body['delta']), { type: 'add_ok' }], bug);

const handlers: Readonly<Record<WorkloadName, Handler>> = {
  echo: (body, _ctx, _state, bug) => ({ type: 'echo_ok', echo: bug === 'unheard of' ? 'x' : body['echo'] }),
  'unique-ids': async (_body, ctx, state, bug) => ({
    type: 'generate_ok',
    id: bug === 'own numbers' ? state.next++ : (await asks(ctx, 'lin-tso', { type: 'ts' }))['ts'],
  }),
  broadcast: adds('message', 'messages'),
  'g-set': adds('element', 'value'),
  'g-counter': counts,
  'pn-counter': counts,
  'lin-kv': (body, ctx, _state, bug) => passedOn(body, ctx, bug),
  'txn-list-append': txn,
  'txn-rw-register': txn,
  kafka,
};

/** A node for any workload that keeps everything in the services, and what it may do wrong. */
export function storeNode(workload: WorkloadName, bug: StoreBug = 'none'): AnyBehavior {
  const node: Behavior<{ next: number }, Body> = {
    start: () => ({ next: 0 }),
    async receive(state, body, ctx) {
      if (body.in_reply_to !== undefined) return;
      const isFirst = body.type === 'init' || body.type === 'topology';
      const answer: Body = isFirst ? { type: `${body.type}_ok` } : await handlers[workload](body, ctx, state, bug);
      ctx.send(ctx.from, body.msg_id === undefined ? answer : { ...answer, in_reply_to: body.msg_id });
    },
  };
  return node;
}

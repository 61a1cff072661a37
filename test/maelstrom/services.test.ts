import { expect, test } from 'vitest';
import {
  behavior,
  checkLinearizable,
  defineSystem,
  generate,
  linearizable,
  models,
  search,
  send,
  type Oracle,
} from 'culprit';
import type { ClientOperation } from 'culprit/kernel';
import { services, type Body, type ServiceName } from 'culprit/maelstrom';

interface Call {
  readonly f: 'read' | 'write' | 'cas';
  readonly key: string;
  readonly value?: unknown;
}

/** A client that asks a service, one request at a time, and notes its requests. */
const clientOf = (service: ServiceName) =>
  behavior({
    start: () => ({ queue: [] as Call[], open: 0, isRead: false, next: 1 }),
    receive(state, message: Body | Call, ctx) {
      if ('f' in message) state.queue.push(message as Call);
      else {
        const { type, value, code } = message;
        if (type === 'error' && !(state.isRead && code === 20)) ctx.history.fail(state.open);
        else ctx.history.return(state.open, type === 'error' ? null : type === 'cas_ok' ? true : (value ?? undefined));
        state.open = 0;
      }
      const call = state.open === 0 ? state.queue.shift() : undefined;
      if (call === undefined) return;
      const { f, key, value } = call;
      state.isRead = f === 'read';
      state.open = ctx.history.call({ f, value }, key);
      const [from, to] = f === 'cas' ? (value as unknown[]) : [];
      ctx.send(service, { type: f, key, value, from, to, msg_id: state.next++ });
    },
  });

/** Three clients with some requests each. */
const systemOf = (service: ServiceName, oracle: Oracle) => {
  const call = {
    generate: (dice: { nextInt(min: number, max: number): number }) => {
      const key = `k${dice.nextInt(0, 1)}`;
      const value = dice.nextInt(1, 3);
      const f = (['read', 'read', 'write', 'cas'] as const)[dice.nextInt(0, 3)] as Call['f'];
      const calls = { read: { f, key }, write: { f, key, value }, cas: { f, key, value: [dice.nextInt(1, 3), value] } };
      return { value: send(`c${dice.nextInt(1, 3)}`, calls[f]) };
    },
  };
  const client = clientOf(service);
  return defineSystem({
    processes: { [service]: services[service], c1: client, c2: client, c3: client } as never,
    workload: [generate(10, [1, call])] as never,
    oracles: { consistent: oracle },
  });
};

const model = models.compareAndSet(null);

/** Sequential consistency of all keys together, by trying every order that keeps the order of each client. */
function hasSequentialOrder(operations: readonly ClientOperation[]): boolean {
  const names = [...new Set(operations.map(({ process }) => process))];
  const byClient = names.map((name) => operations.filter(({ process }) => process === name));
  const failed = new Set<string>();
  const tryFrom = (places: readonly number[], state: Readonly<Record<string, unknown>>): boolean => {
    if (places.every((place, at) => place === byClient[at]?.length)) return true;
    const name = JSON.stringify([places, state]);
    if (failed.has(name)) return false;
    const isFound = byClient.some((all, at) => {
      const next = all[places[at] as number];
      if (next === undefined) return false;
      const key = next.key as string;
      const { state: after, output } = model.step(state[key] ?? null, next.input as never) as {
        state: unknown;
        output?: unknown;
      };
      // A read of nothing answers null; what has not returned may have happened.
      if (next.returned !== undefined && JSON.stringify(output ?? null) !== JSON.stringify(next.output ?? null))
        return false;
      return tryFrom(
        places.map((place, index) => (index === at ? place + 1 : place)),
        { ...state, [key]: after },
      );
    });
    if (!isFound) failed.add(name);
    return isFound;
  };
  return tryFrom(
    byClient.map(() => 0),
    {},
  );
}

const sequential: Oracle = {
  judge: () => ({ kind: 'holds' }),
  end: (world) =>
    hasSequentialOrder(world.operations())
      ? { kind: 'holds' }
      : { kind: 'violated', oracle: 'sequential', message: 'no order', processes: [], fingerprint: 'sequential' },
};

test('lin-kv is linearizable', async () => {
  const { findings, unknown } = await search(systemOf('lin-kv', linearizable(model)), { executions: 300 });
  expect([findings, unknown]).toEqual([[], 0]);
});

test('seq-kv is sequentially consistent', async () => {
  const { findings } = await search(systemOf('seq-kv', sequential), { executions: 300 });
  expect(findings).toEqual([]);
});

test('seq-kv is not linearizable: a read is stale', async () => {
  const { findings } = await search(systemOf('seq-kv', linearizable(model)), { executions: 300 });
  expect(findings[0]?.trace.verdict).toMatchObject({ verdict: 'violated', oracle: 'consistent' });
});

test('lww-kv loses updates: it is not even sequentially consistent', async () => {
  const { findings } = await search(systemOf('lww-kv', sequential), { executions: 300 });
  expect(findings[0]?.trace.verdict).toMatchObject({ verdict: 'violated', oracle: 'consistent' });
});

test('the oracle of this test tells histories apart', () => {
  const read = (process: string, output: unknown, called: number): ClientOperation => ({
    process,
    key: 'k',
    input: { f: 'read' },
    output,
    called,
    returned: called + 1,
  });
  const write = (process: string, value: unknown, called: number): ClientOperation => ({
    process,
    key: 'k',
    input: { f: 'write', value },
    called,
    returned: called + 1,
  });
  const stale = [write('c1', 1, 1), read('c2', null, 3), read('c2', 1, 5)];
  expect(hasSequentialOrder(stale)).toBe(true);
  expect(checkLinearizable(stale as never, model).kind).toBe('violated');
  expect(hasSequentialOrder([write('c1', 1, 1), read('c2', 1, 3), read('c2', null, 5)])).toBe(false);
});

test('lin-tso gives every timestamp once', async () => {
  const asker = behavior({
    start: () => ({ stamps: [] as unknown[] }),
    receive(state, body: Body, ctx) {
      if (body.type === 'ts_ok') state.stamps.push(body['ts']);
      else ctx.send('lin-tso', { type: 'ts', msg_id: 1 });
    },
  });
  const { findings } = await search(
    defineSystem({
      processes: { 'lin-tso': services['lin-tso'], c1: asker, c2: asker } as never,
      workload: ['c1', 'c2', 'c1', 'c2'].map((name) => send(name, { type: 'go' })) as never,
      invariants: {
        unique: (world) => {
          const all = world
            .up()
            .flatMap(({ state }) => ('stamps' in state ? (state as { stamps: number[] }).stamps : []));
          return new Set(all).size === all.length && all.every((stamp) => stamp < 4);
        },
      },
    }),
    { executions: 100 },
  );
  expect(findings).toEqual([]);
});

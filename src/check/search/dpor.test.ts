import { describe, expect, test } from 'vitest';
import { declared } from '../../../test/twins/declared.ts';
import { begun, endsSeenBy } from '../../../test/twins/begun.ts';
import type { Feature, RandomSystem } from '../../../test/twins/deeds.ts';
import { everyExecution, type Ends } from '../../../test/twins/every-execution.ts';
import { onRandomSystems } from '../../../test/twins/on-random-systems.ts';
import { fileSystem, indexer, isRead, lastZero, readers } from '../../../test/twins/shared-memory.ts';
import type { AnyBehavior } from '../../kernel/behavior.ts';
import { defaultTransport, type Declaration } from '../../kernel/declaration.ts';
import { crash, restart, send, stop } from '../../system/externals.ts';
import { hex } from '../../trace/digest.ts';
import { Dpor, type DporOptions, type SearchEnding } from './dpor.ts';
import { conflicts } from '../dependence/footprint.ts';
import { Dependence } from '../dependence/dependence.ts';
import type { EnvironmentProgram } from '../../schedule/environment-program.ts';

interface Explored extends Ends {
  executions: number;
  blocked: number;
}

type Depends = DporOptions['depends'];

const byFootprint: Depends = (_session, one, other) => conflicts(one.foot, other.foot);

/** Undefined where there are more executions than that. */
async function explored(
  declaration: Declaration,
  threads: readonly EnvironmentProgram[] = [],
  depends: Depends = byFootprint,
  executionsMax = Number.POSITIVE_INFINITY,
): Promise<Explored | undefined> {
  const found: Explored = { executions: 0, blocked: 0, names: new Set(), worlds: new Set() };
  const beginning = begun(declaration, threads);
  const dpor = new Dpor({
    ...beginning,
    dependence: new Dependence(declaration, beginning.environment),
    depends,
    visitor: endsSeenBy((session, ending: SearchEnding) => {
      found.executions += 1;
      if (ending === 'blocked') found.blocked += 1;
      else {
        found.names.add(hex(session.name()));
        found.worlds.add(hex(session.worldDigest()));
      }
      return found.executions <= executionsMax;
    }),
  });
  for (const pause of dpor.run()) if (pause !== undefined) await pause;
  return found.executions > executionsMax ? undefined : found;
}

const inOrder = (processes: Record<string, AnyBehavior>, order: 'fifo' | 'unordered' = 'fifo'): Declaration =>
  declared(processes, { transport: { ...defaultTransport, order } });

/** The executions, all of them different, and none begun in vain. */
async function countOf(
  processes: Record<string, AnyBehavior>,
  options: { order?: 'fifo' | 'unordered'; depends?: Depends } = {},
): Promise<number> {
  const found = (await explored(inOrder(processes, options.order), [], options.depends)) as Explored;
  expect(found).toMatchObject({ blocked: 0, executions: found.names.size });
  return found.executions;
}

const sink: AnyBehavior = { start: () => ({}), receive() {} };

const sender = (count: number, to = 'sink'): AnyBehavior => ({
  start(ctx) {
    for (let sent = 0; sent < count; sent++) ctx.send(to, sent);
    return {};
  },
  receive() {},
});

const numbered = (prefix: string, all: readonly AnyBehavior[]): Record<string, AnyBehavior> =>
  Object.fromEntries(all.map((one, at) => [`${prefix}${at}`, one]));

describe('messages to one process', () => {
  test.each([
    [1, 1],
    [2, 2],
    [3, 6],
    [4, 24],
    [5, 120],
    [6, 720],
  ])('%i senders of one message: %i orders', async (senders, orders) => {
    const all = Array.from({ length: senders }, () => sender(1));
    expect(await countOf({ sink, ...numbered('s', all) })).toBe(orders);
  });

  test.each([
    [[2, 2], 6],
    [[3, 2], 10],
    [[3, 3], 20],
    [[2, 2, 2], 90],
    [[4, 1, 1], 30],
  ])('channels with %j messages: %i orders', async (channels, orders) => {
    expect(
      await countOf({
        sink,
        ...numbered(
          's',
          channels.map((count) => sender(count)),
        ),
      }),
    ).toBe(orders);
  });

  test('orders at different receivers multiply', async () => {
    const one = [sender(2, 'one'), sender(1, 'one')];
    const other = [sender(2, 'other'), sender(2, 'other')];
    expect(await countOf({ one: sink, other: sink, ...numbered('s', one), ...numbered('t', other) })).toBe(3 * 6);
  });

  test('ping and pong have one', async () => {
    const player = (opens: boolean): AnyBehavior => ({
      start(ctx) {
        if (opens) ctx.send('pong', 10);
        return {};
      },
      receive(_state, left, ctx) {
        if ((left as number) > 0) ctx.reply((left as number) - 1);
      },
    });
    expect(await countOf({ ping: player(true), pong: player(false) })).toBe(1);
  });

  test.each([
    [2, 6],
    [3, 90],
    [4, 2520],
  ])('%i clients that read and then write a register: %i', async (clients, orders) => {
    expect(
      await countOf({
        register,
        ...numbered(
          'c',
          Array.from({ length: clients }, () => client),
        ),
      }),
    ).toBe(orders);
  });
});

const register: AnyBehavior = {
  start: () => ({ value: 0 }),
  receive(state, message, ctx) {
    if (message === 'read') ctx.reply((state as { value: number }).value);
    else (state as { value: number }).value = message as number;
  },
};

const client: AnyBehavior = {
  start(ctx) {
    ctx.send('register', 'read');
    return {};
  },
  receive: (_state, value, ctx) => ctx.send('register', (value as number) + 1),
};

/**
 * Programs with shared memory that others count as well. Any two messages to a process are dependent, so the test declares
 * that two reads of memory are not.
 */
describe('shared memory', () => {
  const depends: Depends = (session, one, other) =>
    byFootprint(session, one, other) &&
    !(
      one.step.kind === 'deliver' &&
      isRead(one.step.message) &&
      other.step.kind === 'deliver' &&
      isRead(other.step.message)
    );

  test.each([1, 2, 3, 6, 8])('readers(%i)', async (count) => {
    expect(await countOf(readers(count), { depends })).toBe(2 ** count);
  });

  test.each([
    [1, 2],
    [2, 5],
    [3, 12],
    [4, 28],
    [5, 64],
    [6, 144],
  ])('lastzero(%i): %i', async (count, executions) => {
    expect(await countOf(lastZero(count), { depends })).toBe(executions);
  });

  test.each([
    [11, 1],
    [12, 8],
    [13, 64],
  ])('indexer(%i): %i', async (count, executions) => {
    expect(await countOf(indexer(count), { depends })).toBe(executions);
  });

  test.each([
    [13, 1],
    [14, 2],
    [15, 4],
  ])('filesystem(%i): %i', async (count, executions) => {
    expect(await countOf(fileSystem(count), { depends })).toBe(executions);
  });
});

/** Nodes vote for themselves, then for the greatest they have heard of, and say so: the example of SAMC. */
describe('an election', () => {
  const node = (own: number, nodes: readonly number[]): AnyBehavior => ({
    start(ctx) {
      for (const other of nodes) if (other !== own) ctx.send(`n${other}`, own);
      return { vote: own };
    },
    receive(state, message, ctx) {
      const voter = state as { vote: number };
      if ((message as number) <= voter.vote) return;
      voter.vote = message as number;
      for (const other of nodes) if (other !== own) ctx.send(`n${other}`, voter.vote);
    },
  });
  const election = (count: number): Record<string, AnyBehavior> =>
    numbered(
      'n',
      Array.from({ length: count }, (_, own) => node(own, [...Array(count).keys()])),
    );

  /** Votes only grow, so what is discarded in one world is so in all that follow. */
  const unlessDiscarded: Depends = (session, one, other) => {
    if (!byFootprint(session, one, other) || session === undefined) return byFootprint(session, one, other);
    return [one, other].every(({ step }) => {
      if (step.kind !== 'deliver') return true;
      const { vote } = session.world.process(step.process).state as { vote: number };
      return (step.message as number) > vote;
    });
  };

  test.each([
    ['fifo', 88],
    ['unordered', 4752],
  ] as const)('three nodes, %s: %i', async (order, executions) => {
    expect(await countOf(election(3), { order })).toBe(executions);
  });

  test.each([
    ['fifo', 5],
    ['unordered', 6],
  ] as const)('three nodes, %s, where discarded votes make no difference: %i', async (order, executions) => {
    expect(await countOf(election(3), { order, depends: unlessDiscarded })).toBe(executions);
  });

  test('four nodes, where discarded votes make no difference: 127', async () => {
    const found = (await explored(declared(election(4)), [], unlessDiscarded)) as Explored;
    expect(found.names.size).toBe(127);
    expect(found.executions - found.blocked).toBe(127);
  });
});

describe('what is not possible right before may be so earlier', () => {
  const keep = { ...defaultTransport, toAbsent: 'keep', onCrash: { to: 'keep', from: 'keep' } } as const;

  test.each<[string, EnvironmentProgram[], number]>([
    [
      'a delivery, before a crash',
      [
        { name: 'faults', items: [crash('b'), restart('b')] },
        { name: 'workload', items: [send('b', 1)] },
      ],
      2,
    ],
    [
      'a crash, before a stop',
      [
        { name: 'workload', items: [stop('b'), restart('b')] },
        { name: 'faults', items: [send('a', 1), crash('b')] },
      ],
      2,
    ],
  ])('%s', async (_what, threads, executions) => {
    const declaration = declared({ a: sink, b: sink }, { transport: keep });
    const all = (await everyExecution(declaration, threads, NODES_MAX)) as Ends;
    const found = (await explored(declaration, threads)) as Explored;
    expect(sorted(found)).toEqual(sorted(all));
    expect(found).toMatchObject({ executions, blocked: 0 });
  });
});

/** Where a cut or a wait is about everything, or names do not tell what became of a message, several may be called the same. */
function isNamed(feature: Feature, { declaration, scripts }: RandomSystem): boolean {
  const { toAbsent, onCrash } = declaration.transport;
  if (feature === 'messages' || feature === 'timers') return true;
  if (feature === 'awaits') return scripts.length === 1;
  return feature === 'crashes' && toAbsent === onCrash.to && onCrash.notice === undefined;
}

describe('the same as one gets by trying everything', () => {
  test.each([
    ['messages', 80, 50],
    ['timers', 80, 60],
    ['crashes', 80, 20],
    ['stops', 60, 20],
    ['cuts', 60, 20],
    ['waits', 100, 80],
    ['awaits', 50, 20],
    ['refusals', 120, 20],
  ] as const)('%s', async (feature, seeds, few) => {
    let compared = 0;
    await onRandomSystems(feature, { seeds, nodesMax: NODES_MAX }, async (system, all, seed) => {
      const found = await explored(system.declaration, system.scripts, byFootprint, EXECUTIONS_MAX);
      if (found === undefined) return;
      compared += 1;
      const { blocked } = found;
      const twice = isNamed(feature, system) ? found.executions - found.names.size : 0;
      expect({ seed, ...sorted(found), blocked, twice }).toEqual({ seed, ...sorted(all), blocked: 0, twice: 0 });
    });
    expect(compared).toBeGreaterThan(few);
  });
});

const NODES_MAX = 500;
const EXECUTIONS_MAX = 1_000;

const sorted = ({ names, worlds }: Ends) => ({ names: [...names].toSorted(), worlds: [...worlds].toSorted() });

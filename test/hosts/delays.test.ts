import { behavior, defineSystem, minimize, recheck, search, send, type System } from 'culprit';
import { storyLines } from 'culprit/report';
import type { Trace } from 'culprit/trace';
import { describe, expect, test } from 'vitest';
import { ticking } from '../twins/ticking.ts';

/** Messages that a rate delays, beside a process that acts by itself: nothing else can happen when their turn comes. */

interface Said {
  readonly type: string;
}

const client = behavior<{ got: string[] }, Said>({
  start: () => ({ got: [] }),
  receive(state, { type }) {
    state.got.push(type);
  },
});

/** Says old after 20 ms, on a lane of its own, and new after 100 ms. */
const server = ticking({
  receive(box) {
    box.after(20, () => box.send('client', { type: 'old' }, { lane: 'bulk' }));
    box.after(100, () => box.send('client', { type: 'new' }));
  },
});

const systemWith = (isBad: (got: readonly string[]) => boolean, rate: number): System =>
  defineSystem({
    processes: { server, client },
    pace: { roundMs: 50, quietMs: 150 },
    faultRates: { holds: ({ message }) => ((message as Said).type === 'old' ? rate : 0) },
    workload: [send('server', { type: 'go' })],
    invariants: { good: (world) => !isBad(world.process('client').state?.got ?? []) },
  });

const isReversed = (got: readonly string[]): boolean => got.join() === 'new,old';

async function found(system: System): Promise<Trace> {
  const { findings } = await search(system, { executions: 1 });
  expect(findings).toHaveLength(1);
  return findings[0]?.trace as Trace;
}

describe('a message that waits at a rate', () => {
  test('waits for rounds, also if nothing else can happen, and longer than the execution rests at its end', async () => {
    const trace = await found(systemWith(isReversed, 1));
    expect(storyLines(trace.events).map((line) => line.trim().replaceAll(/ +/gu, ' '))).toEqual([
      expect.stringContaining('server starts'),
      expect.stringContaining('client starts'),
      expect.stringContaining('sends go to server'),
      expect.stringContaining('gets go'),
      expect.stringContaining('delays old from server to client on lane bulk by 0.5 s'),
      expect.stringContaining('gets new from server'),
      expect.stringContaining('gets old from server'),
    ]);
  });

  test('has the name that the system gives it', async () => {
    const plain = systemWith(isReversed, 1).define({});
    const trace = await found(
      defineSystem({ ...plain, phrases: { messageName: (message) => `the ${(message as Said).type} value` } }),
    );
    const stories = storyLines(trace.events).join('\n');
    expect(stories).toContain('delays the old value from server to client');
  });

  test('is not delayed without the rate', async () => {
    expect((await search(systemWith(isReversed, 0), { executions: 1 })).findings).toEqual([]);
  });

  test('waits again in replays, and minimizing keeps the order', async () => {
    const system = systemWith(isReversed, 1);
    const trace = await found(system);
    expect(await recheck(system, trace, { replays: 3 })).toMatchObject({ reproduced: 3 });
    const { trace: minimal, reproduction } = await minimize(system, trace);
    expect(reproduction).toMatchObject({ rate: 1 });
    expect(minimal.verdict.verdict).toBe('violated');
  });
});

describe('a write that is late at a rate', () => {
  /** Writes what it gets, and remembers the order of what it got and wrote. */
  const store = behavior<{ got: string[] }, Said>({
    start: () => ({ got: [] }),
    receive(state, { type }, ctx) {
      state.got.push(type);
      if (type === 'old') void ctx.disk.write('last', type);
    },
    wrote(state) {
      state.got.push('written');
    },
  });

  const storing = (rate: number): System =>
    defineSystem({
      processes: { server, client: store },
      pace: { roundMs: 50, quietMs: 150 },
      faultRates: { writes: ({ process }) => (process === 'client' ? rate : 0) },
      workload: [send('server', { type: 'go' })],
      invariants: { inOrder: (world) => world.process('client').state?.got.join() !== 'old,new,written' },
    });

  test('ends rounds later, also if nothing else happens then, and again in replays', async () => {
    const system = storing(1);
    const trace = await found(system);
    const [requested, ended] = ['deliver', 'complete'].map(
      (kind) => trace.events.find((event) => event.kind === kind && event.process === 'client')?.atMs ?? 0,
    );
    // Ten rounds, since it was requested just after the delivery.
    expect((ended ?? 0) - (requested ?? 0)).toBeGreaterThanOrEqual(500);
    expect(await recheck(system, trace, { replays: 3 })).toMatchObject({ reproduced: 3 });
  });

  test('ends at once without the rate', async () => {
    expect((await search(storing(0), { executions: 1 })).findings).toEqual([]);
  });

  test('is refused if it is no number from 0 to 1', async () => {
    await expect(search(storing(2), { executions: 1, control: false })).rejects.toThrow(
      'faultRates.writes, asked about a write of client, returned 2',
    );
  });
});

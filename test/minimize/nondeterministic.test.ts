import { describe, expect, onTestFinished, test } from 'vitest';
import { BadOption, ReplayDiverged, SearchEnded, type Minimized, type Recheck, Random } from 'culprit/kernel';
import { behavior, defineSystem, minimize, NotDeterministic, recheck, search, send } from 'culprit';
import type { Trace } from 'culprit/trace';
import lock from '../../cases/lock/lock.system.ts';
import { found } from '../found.ts';

type Message = { type: 'ask' } | { type: 'noise' } | { type: 'yes' };

/** A server that answers some questions at random; the client should not hear from it so often. */
const whimsical = defineSystem({ rate: 0.5, asks: 1, needed: 1 }, ({ rate, asks, needed }) => {
  const client = behavior<{ heard: number }, Message>({
    start: () => ({ heard: 0 }),
    receive(state, { type }) {
      if (type === 'yes') state.heard += 1;
    },
  });
  const server = behavior<object, Message>({
    start: () => ({}),
    receive(_state, { type }, ctx) {
      if (type === 'ask' && Math.random() < rate) ctx.send('client', { type: 'yes' });
    },
  });
  const bystander = behavior<object, Message>({
    start(ctx) {
      ctx.send('server', { type: 'noise' });
      ctx.setTimer('again', 10);
      return {};
    },
    receive() {},
    timer: (_state, _timer, ctx) => ctx.send('server', { type: 'noise' }),
  });
  const ask = send<Message>('server', { type: 'ask' });
  return defineSystem({
    processes: { client, server, bystander },
    workload: [
      send('server', { type: 'noise' }),
      ...Array.from({ length: asks }, () => ask),
      send('client', { type: 'noise' }),
    ],
    invariants: { quiet: (world) => world.up(client).every(({ state }) => state.heard < needed) || 'it was told yes' },
  });
});

type Settings = { readonly rate: number; readonly asks?: number; readonly needed?: number };

/** From now on chance is a sequence of numbers that the seed determines. */
function seedChance(seed: number): void {
  const { random } = Math;
  const chance = Random.seeded(seed, 0x6368_616e);
  Math.random = () => chance.float();
  onTestFinished(() => void (Math.random = random));
}

const violating = (seed: number, set: Settings): Promise<Trace> =>
  found(whimsical, { set, nondeterministic: true, seed: seed * 1_000, strategy: 'random' });

const shown = ({ trace }: Minimized): string[] =>
  trace.events.map(
    (line) => `${line.process} ${line.kind}${'message' in line ? ` ${(line.message as Message).type}` : ''}`,
  );

describe('a nondeterministic system', () => {
  test('is refused by a search, unless that is allowed', async () => {
    seedChance(0);
    const set = { rate: 0.5, asks: 4 };
    const refused = await search(whimsical, { set }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(SearchEnded);
    expect((refused as SearchEnded).cause).toBeInstanceOf(NotDeterministic);
    const { findings } = await search(whimsical, { set, nondeterministic: true });
    expect(findings[0]?.trace.verdict).toMatchObject({ verdict: 'violated', oracle: 'quiet' });
    await expect(search(whimsical, { nondeterministic: true, workers: 2 })).rejects.toBeInstanceOf(BadOption);
  });

  test.each([0.5, 0.3])('is minimized to what matters, at a rate of %d, but for the stated error', async (rate) => {
    const smallest = [
      'client start',
      'server start',
      'environment send ask',
      'server deliver ask',
      'client deliver yes',
    ];
    const seeds = 10;
    let larger = 0;
    for (let seed = 0; seed < seeds; seed++) {
      seedChance(seed);
      const initial = await violating(seed, { rate });
      const minimized = await minimize(whimsical, initial);
      expect(minimized.certificate).toBe('1-minimal up to the stated error');
      expect(minimized.reproduction.replays).toBeGreaterThanOrEqual(20);
      expect(Math.abs(minimized.reproduction.rate - rate)).toBeLessThan(0.3);
      expect(minimized.trace.verdict).toMatchObject({ verdict: 'violated', oracle: 'quiet' });
      if (shown(minimized).toSorted().join() !== smallest.toSorted().join()) larger += 1;
    }
    // Up to ten events have to be removed, one by one in the worst case, each with an error of 0.01 at most.
    expect(larger / seeds).toBeLessThan(0.1);
  });

  test('is minimized although the result fails less often than the original', async () => {
    for (const seed of [1, 2, 3]) {
      seedChance(seed);
      const minimized = await minimize(whimsical, await violating(seed, { rate: 0.5, asks: 4, needed: 2 }));
      expect(shown(minimized).filter((event) => event === 'client deliver yes')).toHaveLength(2);
      expect(minimized.trace.events).toHaveLength(8);
      expect(minimized.reproduction.rate).toBeLessThan(0.5);
    }
  });

  test('is minimized the same way with the same random numbers', async () => {
    const once = async (): Promise<unknown> => {
      seedChance(7);
      const { seconds: _seconds, stages, ...rest } = await minimize(whimsical, await violating(7, { rate: 0.5 }));
      return { ...rest, stages: stages.map(({ seconds: _spent, ...stage }) => stage) };
    };
    expect(await once()).toEqual(await once());
  });

  test('is not minimized if the violation never recurs', async () => {
    seedChance(0);
    const trace = await violating(0, { rate: 0.5 });
    const never = { ...trace, header: { ...trace.header, parameters: { rate: 0, asks: 1, needed: 1 } } };
    const error = await minimize(whimsical, never).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ReplayDiverged);
  });

  test('is never called fixed or diverged: the violation recurs, or nondeterminism is to blame', async () => {
    for (let seed = 0; seed < 10; seed++) {
      seedChance(seed);
      const trace = await violating(seed, { rate: 0.5, asks: 4 });
      const answer = await recheck(whimsical, trace).catch((thrown: unknown) => thrown);
      expect(answer instanceof NotDeterministic || (answer as Recheck).answer === 'reproduced').toBe(true);
    }
  });

  test('takes an error rate', async () => {
    const trace = await found(lock);
    for (const error of [0, 1, Number.NaN])
      await expect(minimize(lock, trace, { error })).rejects.toBeInstanceOf(BadOption);
  });
});

test('a deterministic system pays little for it: one schedule per candidate, and some replays of the result', async () => {
  const { schedules, certificate, reproduction } = await minimize(lock, await found(lock));
  expect({ schedules, certificate, reproduction }).toEqual({
    schedules: 162,
    certificate: 'shortest',
    reproduction: { rate: 1, replays: 37 },
  });
});

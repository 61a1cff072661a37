import { expect, test } from 'vitest';
import { declared } from '../../test/twins/declared.ts';
import { crash, restart, send, start } from '../system/externals.ts';
import { Random } from '../kernel/data/random.ts';
import { Simulation } from '../kernel/simulation.ts';
import type { External } from '../trace/event.ts';
import { RandomContinuation } from './random-continuation.ts';

/** Sets its timer again and again. */
const ticking = {
  start: (ctx: { repeatTimer(name: string, ms: number): void }) => {
    ctx.repeatTimer('tick', 1);
    return {};
  },
  receive: () => {},
  timer: () => {},
};

/** The kinds of events of an execution that is left to chance from the start. */
function kinds(externals: readonly External[], first: number, enough: number, seed = 0): string[] {
  const session = Simulation.open(declared({ a: ticking }), 0);
  const onwards = new RandomContinuation(Random.seeded(seed, 1), {
    externals,
    first,
    weights: { external: 0.01 },
    enough,
    refused: 'wait',
  });
  for (let event = onwards.next(session); event !== undefined; event = onwards.next(session))
    void session.perform(event);
  return session.recording.events.since(0).map(({ kind }) => kind);
}

test('what comes first comes first, and all that the environment does comes before the end', () => {
  const happened = kinds([start('a'), crash('a'), restart('a')], 1, 5);
  expect(happened[0]).toBe('start');
  expect(happened.filter((kind) => kind !== 'fire')).toEqual(['start', 'crash', 'restart']);
  expect(happened.length).toBeGreaterThan(5);
});

test('it ends when there is enough of it', () => {
  expect(kinds([start('a')], 1, 7)).toHaveLength(7);
});

test('what cannot happen lets others pass, and nothing waits for it in the end', () => {
  const lost: External = { kind: 'lose', target: '0123456789abcdef' };
  const happened = kinds([start('a'), lost, send('a', 0)], 1, 5);
  expect(happened.filter((kind) => kind !== 'fire' && kind !== 'deliver')).toEqual(['start', 'send']);
});

import { behavior, defineSystem } from 'culprit';
import { resolveSystem, targetOf, type Session } from 'culprit/kernel';
import type { EventLine, Internal } from 'culprit/trace';
import { expect, test } from 'vitest';
import { Observer } from './observer.ts';

const growing = behavior<{ list: number[] }, number>({
  start(ctx) {
    ctx.send(ctx.self, 0);
    return { list: [] };
  },
  receive({ list }, n, ctx) {
    list.push(n);
    ctx.send(ctx.self, n + 1);
  },
});

const small = behavior<{ n: number }, number>({
  start(ctx) {
    ctx.send(ctx.self, 0);
    return { n: 0 };
  },
  receive(state, n, ctx) {
    state.n = n + 1;
    ctx.send(ctx.self, n + 1);
  },
});

const system = defineSystem({ processes: { growing, small }, invariants: { any: () => true } });

/** Performs events in turns, and observes each. */
async function linesOf(observer: Observer, count: number): Promise<{ lines: EventLine[]; session: Session }> {
  const session = targetOf(resolveSystem(system)).open(1);
  const lines: EventLine[] = [];
  const perform = async (event: Parameters<Session['perform']>[0]): Promise<void> => {
    await session.perform(event);
    lines.push(...observer.observe(session));
  };
  for (const process of ['growing', 'small']) await perform({ kind: 'start', process } as never);
  for (let at = 0; at < count; at++) await perform(session.enabled[at % 2] as Internal);
  return { lines, session };
}

test('after the limit of comparisons, large states are not compared any more, and small ones are', async () => {
  const { lines } = await linesOf(new Observer(false, { comparisons: 2_000, ofSmall: 30 }), 120);
  const unseen = lines.filter((line) => line.unseen === true);
  expect(unseen.length).toBeGreaterThan(10);
  for (const line of unseen) expect(line).not.toHaveProperty('state');
  for (const line of unseen) expect(line.process).toBe('growing');
  const first = lines.indexOf(unseen[0] as EventLine);
  expect(
    lines.slice(first).filter(({ process, state }) => process === 'small' && state !== undefined).length,
  ).toBeGreaterThan(10);
  // Nothing is seen of it later on: it only grows.
  expect(lines.slice(first).every((line) => line.process === 'small' || line.unseen === true)).toBe(true);
});

test('all states are compared below the limit, and where states have digests of texts', async () => {
  for (const observer of [new Observer(), new Observer(true, { comparisons: 0, ofSmall: 0 })]) {
    const { lines } = await linesOf(observer, 60);
    expect(lines.filter((line) => line.unseen === true || line.state === undefined)).toEqual([]);
  }
});

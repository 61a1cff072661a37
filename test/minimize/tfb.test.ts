import { behavior, defineSystem, minimize, send, type System } from 'culprit';
import { expect, test } from 'vitest';
import { found } from '../found.ts';

type Message = { type: 'raise' } | { type: 'offer'; item: string; color: string; price: number };

const shop = behavior<object, Message>({
  start(ctx) {
    ctx.send('buyer', { type: 'offer', item: 'lamp', color: 'red', price: 7 });
    ctx.send('buyer', { type: 'offer', item: 'desk', color: 'blue', price: 6 });
    return {};
  },
  receive(_state, { type }, ctx) {
    if (type === 'raise') ctx.send('buyer', { type: 'offer', item: 'lamp', color: 'red', price: 8 });
  },
});

const buyer = behavior<{ paid: number }, Message>({
  start: () => ({ paid: 1 }),
  receive(state, message) {
    if (message.type === 'offer') state.paid = message.price;
  },
});

/** Even prices are wrong. Without the raise there are two offers left that the buyer could get: of the lamp and of the desk. */
const market: System = defineSystem({
  processes: { buyer, shop },
  transport: 'unordered',
  workload: [send('shop', { type: 'raise' })],
  invariants: {
    oddPrices: (world) => world.up(buyer).every(({ state }) => state.paid % 2 === 1),
  },
});

const prices = (events: readonly unknown[]): unknown[] =>
  events.flatMap((event) => (event as { message?: { price?: number } }).message?.price ?? []);

test('if the first match does not fail, the next one is tried', async () => {
  const trace = await found(market, { seed: 21, strategy: 'random' });
  expect(prices(trace.events)).toEqual([8]);
  const byType = await minimize(market, trace, { passes: ['externals:type', 'internals:type', 'single:type'] });
  expect(prices(byType.trace.events)).toEqual([8]);
  expect(byType.trace.events.length).toBe(5);
  const tried = await minimize(market, trace, { passes: ['tfb:type'] });
  expect(prices(tried.trace.events)).toEqual([6]);
  expect(tried.trace.events.map(({ kind }) => kind)).toEqual(['start', 'start', 'deliver']);
});

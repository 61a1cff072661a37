import { expect, test } from 'vitest';
import type { Event } from '../../trace/event.ts';
import { byAppearance, outOfOrder } from './name-order.ts';

const at = { cause: -1, hi: 0, lo: 0 };
const start = (process: string): Event => ({ kind: 'start', process, ...at });
const send = (to: string): Event => ({ kind: 'send', process: 'environment', to, message: 1, ...at });
const crash = (process: string): Event => ({ kind: 'crash', process, ...at });

test.each([
  { events: [], order: 'a b c d', pairs: 0 },
  { events: [start('b'), start('a')], order: 'a b c d', pairs: 0 },
  { events: [start('c')], order: 'c a b d', pairs: 2 },
  { events: [start('a'), start('d'), send('d'), crash('b'), send('d')], order: 'd b a c', pairs: 4 },
  { events: [crash('d'), crash('c'), crash('b'), crash('a')], order: 'd c b a', pairs: 6 },
])('$order, of which $pairs pairs are out of order', ({ events, order, pairs }) => {
  expect(byAppearance(events, ['a', 'b', 'c', 'd']).join(' ')).toBe(order);
  expect(outOfOrder(events, ['a', 'b', 'c', 'd'])).toBe(pairs);
});

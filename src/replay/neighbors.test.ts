import { expect, test } from 'vitest';
import type { Event } from '../trace/event.ts';
import { neighbors } from './neighbors.ts';

const of = (at: number, process: string, rest: object): Event =>
  ({ process, hi: 0, lo: at, cause: -1, ...rest }) as Event;

/** Two starts, a message between them, and an action with what it brings about. */
const events: readonly Event[] = [
  of(0, 'a', { kind: 'start' }),
  of(1, 'b', { kind: 'start' }),
  of(2, 'b', { kind: 'deliver', from: 'a', cause: 0 }),
  of(3, 'environment', { kind: 'act' }),
  of(4, 'environment', { kind: 'cut', cause: 3 }),
];

const shown = (list: readonly Event[]): string => list.map(({ lo }) => lo).join('');

test('one is left out, two change places, one comes last, chance decides: in turn, and from the end', () => {
  const first: string[] = [];
  for (const { events: kept, random } of neighbors(events)) {
    first.push(shown(kept) + (random === undefined ? '' : `?${shown(random.rest)} by ${random.seed}`));
    if (first.length === 20) break;
  }
  expect(first).toEqual(
    [
      ['0124', '01324', '01243', '01234? by 0'],
      ['0134', '10234', '01342', '0123?4 by 0'],
      ['0234', '02341', '012?34 by 0'],
      ['1234', '12340', '01?234 by 0'],
      ['0?1234 by 0', '?01234 by 0', '01234? by 1', '0123?4 by 1', '012?34 by 1', '01?234 by 1'],
    ].flat(),
  );
});

test('a schedule of nothing has neighbors too', () => {
  expect(neighbors([]).next().value).toEqual({ events: [], random: { rest: [], seed: 0 } });
});

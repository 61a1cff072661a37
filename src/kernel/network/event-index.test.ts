import { expect, test } from 'vitest';
import type { Internal } from '../../trace/event.ts';
import { Random } from '../data/random.ts';
import { EventIndex } from './event-index.ts';

const event = (hi: number, lo: number): Internal => ({ kind: 'deliver', hi, lo }) as Internal;

/** Identities as digests are, and some that differ in few bits or are equal. */
function randomEvent(random: Random): Internal {
  return random.below(50) === 0
    ? event(random.below(2) << 30, random.below(3))
    : event(random.below(2 ** 31), random.below(2 ** 31) - 2 ** 30);
}

test('finds what a look at every event finds, in short and in long lists that change', () => {
  for (const length of [100, 6_000]) {
    const random = Random.seeded(length, 3);
    const list = Array.from({ length }, () => randomEvent(random));
    const index = new EventIndex();
    for (let step = 0; step < 400; step++) {
      const wanted = random.below(2) === 0 ? { ...random.pick(list) } : randomEvent(random);
      const expected = list.find(({ hi, lo }) => hi === wanted.hi && lo === wanted.lo);
      const found = index.find(list, wanted);
      expect([found?.hi, found?.lo]).toEqual([expected?.hi, expected?.lo]);
      const place = random.below(list.length);
      const [gone, come] = [list[place] as Internal, randomEvent(random)];
      const kind = random.below(3);
      if (kind === 0) list.push(come);
      else if (kind === 1) list[place] = come;
      else list.splice(place, 1);
      index.change(kind === 0 ? undefined : gone, kind === 2 ? undefined : come);
    }
  }
});

import { expect, test } from 'vitest';
import { looks } from '../../../test/twins/looks.ts';
import { randomData } from '../../../test/twins/random-data.ts';
import { applyChanges, changesBetween } from '../../trace/change.ts';
import { DataDigest } from '../../trace/data-digest.ts';
import { hex } from '../../trace/digest.ts';
import { fromPortable, toPortable } from '../../trace/json-encoding.ts';
import { copyAgain, copyData } from './copy.ts';

/** A twin says what code can see of data. Copies, digests and traces must keep that, or tell it apart. */

const SEEDS = 1_000;
const each = (see: (seed: number) => void): void => {
  for (let seed = 0; seed < SEEDS; seed++) see(seed);
};

test('a copy looks like the original, down to which places hold one object', () => {
  each((seed) => {
    const data = randomData(seed);
    const copy = copyData(data, 'a', 'the state');
    expect(looks(copy), `seed ${seed}`).toBe(looks(data));
    expect(looks(copyAgain(copy)), `seed ${seed}, again`).toBe(looks(data));
  });
});

test.each([3, 40, 5_000])('among %i objects that look the same, the one that stands twice is found', (count) => {
  for (const make of [() => ({ ok: true }), () => ({}), () => [], () => new Set([1])]) {
    const many: object[] = Array.from({ length: count }, make);
    expect(looks(copyData(many, 'a', 'the state'))).toBe(looks(many));
    for (const twice of [0, count >> 1, count - 1]) {
      const data = { many, twice: many[twice] };
      const copy = copyData(data, 'a', 'the state');
      expect(copy.twice).toBe(copy.many[twice]);
      expect(new Set(copy.many).size).toBe(count);
      expect(hex(new DataDigest().data(data))).not.toBe(hex(new DataDigest().data({ many, twice: make() })));
    }
  }
});

test('a copy shares nothing with the original', () => {
  each((seed) => {
    const data = randomData(seed);
    const before = looks(data);
    const copy = copyData(data, 'a', 'the state') as { mark?: number };
    copy.mark = 1;
    expect(looks(data), `seed ${seed}`).toBe(before);
    expect(looks(copyData(data, 'a', 'the state'))).toBe(before);
  });
});

test('data that looks the same has the same digest, and data that looks different another', () => {
  const digests = new Map<string, string>();
  const seen = new Map<string, string>();
  each((seed) => {
    const data = randomData(seed, 4);
    const { hi, lo } = new DataDigest(true).data(data);
    const [look, digest] = [looks(data), `${hi} ${lo}`];
    expect(digests.get(look) ?? digest, `seed ${seed}`).toBe(digest);
    expect(seen.get(digest) ?? look, `seed ${seed}`).toBe(look);
    digests.set(look, digest);
    seen.set(digest, look);
  });
  expect(digests.size).toBeGreaterThan(SEEDS / 4);
});

test('the order of keys makes no difference to the digest that ignores it, whatever is shared', () => {
  each((seed) => {
    const [data, turned] = [randomData(seed, 6), randomData(seed, 6, true)];
    expect(hex(new DataDigest().data(turned)), `seed ${seed}`).toBe(hex(new DataDigest().data(data)));
  });
});

test('what is written down and read back has the same objects in the same places', () => {
  each((seed) => {
    const data = randomData(seed);
    const read = fromPortable(JSON.parse(JSON.stringify(toPortable(data, 'it'))));
    expect(looks(read, 'as a file'), `seed ${seed}`).toBe(looks(data, 'as a file'));
  });
});

test('changes lead from one to the other, whatever is shared', () => {
  each((seed) => {
    const [before, after] = [toPortable(randomData(seed), 'it'), toPortable(randomData(seed + 1), 'it')];
    expect(applyChanges(before, changesBetween(before, after)), `seed ${seed}`).toEqual(after);
  });
});

test('an object that stands in two places is written once', () => {
  const job = { id: 1 };
  expect(toPortable({ jobs: [job], current: job }, 'it')).toEqual({
    current: { id: 1 },
    jobs: [{ $same: '/current' }],
  });
  const circle: { me?: unknown } = {};
  circle.me = circle;
  expect(toPortable(circle, 'it')).toEqual({ me: { $same: '' } });
});

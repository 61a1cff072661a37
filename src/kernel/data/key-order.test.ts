import { expect, test } from 'vitest';
import { looks } from '../../../test/twins/looks.ts';
import { randomData } from '../../../test/twins/random-data.ts';
import { fromPortable, toPortable } from '../../trace/json-encoding.ts';
import { inKeyOrder } from './key-order.ts';

test('keys come in the order of files, and nothing else changes', () => {
  for (let seed = 0; seed < 500; seed++) {
    const data = randomData(seed);
    const ordered = inKeyOrder(data);
    expect(looks(ordered, 'as a file'), `seed ${seed}`).toBe(looks(data, 'as a file'));
    const read = fromPortable(JSON.parse(JSON.stringify(toPortable(ordered, 'it'))));
    expect(JSON.stringify(toPortable(read, 'it')), `seed ${seed}`).toBe(JSON.stringify(toPortable(data, 'it')));
  }
});

test('fields that are undefined, and objects without a prototype, stay', () => {
  const bare = Object.assign(Object.create(null) as object, { y: 1, x: undefined });
  const list: unknown[] = [];
  list[1] = bare;
  const ordered = inKeyOrder({ z: undefined, bare, list });
  expect(Object.keys(ordered)).toEqual(['bare', 'list', 'z']);
  expect(Object.keys(ordered.bare)).toEqual(['x', 'y']);
  expect(Object.getPrototypeOf(ordered.bare)).toBeNull();
  expect([0 in ordered.list, ordered.list[1] === ordered.bare]).toEqual([false, true]);
});

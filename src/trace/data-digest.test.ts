import { expect, test } from 'vitest';
import { DataDigest } from './data-digest.ts';
import { digestNumber, hex } from './digest.ts';

/** The number with these bits. */
function numberOf(high: number, low: number): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setUint32(0, high);
  view.setUint32(4, low);
  return view.getFloat64(0);
}

test('numbers with the same bits in other places have other digests', () => {
  const [high, low] = [0x42_78_00_00, 0x18_00_00_00];
  const all = [numberOf(high, low), numberOf(low, high), numberOf(high | 1, low), numberOf(high, low | 1)];
  expect(new Set(all).size).toBe(all.length);
  expect(new Set(all.map((one) => hex(digestNumber(one)))).size).toBe(all.length);
  expect(new Set(all.map((one) => hex(new DataDigest().data(one)))).size).toBe(all.length);
});

test('names treat -0 as 0, and data keeps the sign, as code can see it', () => {
  expect(digestNumber(-0)).toEqual(digestNumber(0));
  expect(hex(new DataDigest().data(-0))).not.toBe(hex(new DataDigest().data(0)));
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Executed, Range } from './executor.ts';
import { restOf } from './executor.ts';
import { SeedQueue } from './seed-queue.ts';

const executed = (first: number, executions: number): Executed => ({
  summary: { first, executions } as Executed['summary'],
});

test('every seed is taken once and in order, whichever thread executes it and when', () => {
  // Each step claims some seeds; then one of the claimed ranges makes some progress, and is given back or continues.
  const step = fc.record({ size: fc.nat(9), who: fc.nat(5), executions: fc.nat(4), givesUp: fc.boolean() });
  fc.assert(
    fc.property(fc.nat(40), fc.array(step, { minLength: 1, maxLength: 100 }), (count, steps) => {
      const queue = new SeedQueue(7, 7 + count);
      const underWay: Range[] = [];
      const taken: number[] = [];
      const takeAll = (): void => {
        for (let next = queue.take(); next !== undefined; next = queue.take()) {
          for (let at = 0; at < next.summary.executions; at++) taken.push(next.summary.first + at);
        }
      };
      for (let at = 0; !queue.isDone; at++) {
        const { size, who, executions, givesUp } = steps[at % steps.length] as (typeof steps)[number];
        const claimed = queue.reclaim() ?? queue.claim(size + 1);
        if (claimed !== undefined) underWay.push(claimed);
        const [range] = underWay.splice(who % underWay.length, 1);
        if (range === undefined) throw new Error('no thread has the next seed');
        // Some thread makes progress sooner or later.
        const done = Math.min(executions + (at % 50 === 49 ? 1 : 0), range.count);
        queue.put(executed(range.first, done));
        const rest = restOf(range, done);
        if (givesUp) queue.giveBack(rest);
        else if (rest.count > 0) underWay.push(rest);
        takeAll();
      }
      expect(taken).toEqual(Array.from({ length: count }, (_, at) => 7 + at));
      expect([queue.frontier, queue.claim(1)]).toEqual([7 + count, undefined]);
    }),
    { seed: 1 },
  );
});

import type { ClientOperation } from '../kernel/client-history.ts';
import type { Oracle } from '../kernel/ports.ts';
import type { World } from '../kernel/world.ts';
import { HOLDS, type Verdict } from '../trace/verdict.ts';

/**
 * Judges the operations that clients noted with `ctx.history`, once, at the end of an execution. A violation then says after how
 * many events it happened: further operations must not make a violated history right again.
 */
export function historyOracle(judge: (operations: readonly ClientOperation[]) => Verdict): Oracle {
  return {
    judge: () => HOLDS,
    end(world: World): Verdict {
      const after = (events: number): Verdict => judge(world.operations(events));
      const whole = after(world.length);
      if (whole.kind !== 'violated') return whole;
      const events = earliest(after, world.length);
      // Describes the history up to that event.
      const verdict = after(events);
      return verdict.kind === 'violated' ? { ...verdict, events } : whole;
    },
  };
}

/**
 * The number of events after which a history was violated, given that it is at the end. Binary search finds the first event. An
 * unknown verdict counts as one that holds, so the result may be too late.
 */
function earliest(after: (events: number) => Verdict, length: number): number {
  let [low, high] = [1, length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (after(middle).kind === 'violated') high = middle;
    else low = middle + 1;
  }
  return high;
}

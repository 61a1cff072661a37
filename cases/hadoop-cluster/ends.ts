import { progress, type Oracle } from 'culprit';

/**
 * Progress, but where processes are left out that never start, nothing is said: what they should get is pending for ever.
 * To one that has crashed nothing is pending, so crashes are no excuse.
 */
export function ends(goal: Parameters<typeof progress>[0]): Oracle {
  const oracle = progress(goal);
  return {
    ...oracle,
    begin(session) {
      const watch = oracle.begin?.(session) ?? oracle;
      return {
        judge: (world, last) => watch.judge(world, last),
        end(world, quiet) {
          if (quiet && world.pending.length > 0) return { kind: 'holds' };
          return watch.end?.(world, quiet) ?? { kind: 'holds' };
        },
      };
    },
  };
}

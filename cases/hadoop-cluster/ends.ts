import { progress, type Oracle } from 'culprit';

/**
 * Progress, but unknown if a process never starts: its messages stay pending forever. No message is pending to a
 * crashed process, so crashes are no excuse.
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

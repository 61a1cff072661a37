import type { Oracle } from 'culprit';
import type { AppMaster } from './app-master.ts';

/**
 * When nothing is left that could happen, every task is over. That is not said of an execution that has not come so far, nor
 * of one in which somebody has never started.
 */
export const endsWith = (
  masters: (world: World) => readonly AppMaster[],
  hasStarted: (world: World) => boolean,
): Oracle => ({
  judge: () => ({ kind: 'holds' }),
  end(world, quiet) {
    const isOver = masters(world).every(({ tasks }) =>
      tasks.every(({ state }) => state === 'succeeded' || state === 'failed'),
    );
    if (!quiet || isOver || !hasStarted(world)) return { kind: 'holds' };
    const message = 'nothing is left that could happen, and a task is not over';
    return { kind: 'violated', oracle: 'ends', message, processes: ['am'], fingerprint: 'stuck' };
  },
});

type World = Parameters<Oracle['judge']>[0];

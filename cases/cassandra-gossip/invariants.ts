import type { Judgment, RunningProcess } from 'culprit';
import type { Node } from './node.ts';

/**
 * No node takes a dead node for alive without a sample of it in its failure detector: it could never convict that node.
 */
export function canBeConvicted(up: readonly RunningProcess<Node>[]): Judgment {
  for (const { name, state } of up) {
    const stuck = state.alive.find((other) => !state.sampled.includes(other) && !up.some((one) => one.name === other));
    if (stuck !== undefined)
      return `${name} takes ${stuck} for alive, which is down, and its failure detector has no sample of it`;
  }
  return true;
}

import type { Judgment, RunningProcess } from 'culprit';
import type { Node } from './node.ts';

/** Nobody who is down is taken for alive by a node whose failure detector has never had a sample of it, and so never can convict it. */
export function canBeConvicted(up: readonly RunningProcess<Node>[]): Judgment {
  for (const { name, state } of up) {
    const stuck = state.alive.find((other) => !state.sampled.includes(other) && !up.some((one) => one.name === other));
    if (stuck !== undefined)
      return `${name} takes ${stuck} for alive, which is down, and its failure detector has no sample of it`;
  }
  return true;
}

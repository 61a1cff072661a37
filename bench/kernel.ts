import { causality } from './kernel/causality.ts';
import { fork } from './kernel/fork.ts';
import { memory } from './kernel/memory.ts';
import { overhead, overheadInVirtualTime } from './kernel/overhead.ts';
import { scale } from './kernel/scale.ts';
import { trivial } from './kernel/trivial.ts';
import type { Bench } from './row.ts';

/** The cost of the kernel itself. */
export const kernel: Bench = {
  overhead,
  'virtual-time': overheadInVirtualTime,
  trivial,
  memory,
  fork,
  causality,
  scale,
};

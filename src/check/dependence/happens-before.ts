import { hex, mixHi, mixLo, type Digest } from '../../trace/digest.ts';
import type { NamedTransition } from '../search/wakeup-tree.ts';

/**
 * The name of the order in which steps touched shared resources, as far as the histories of processes do not determine
 * it: the reads of oracles, the existence of a receiver, or everything. Equal for executions that differ only in the
 * order of independent steps.
 */
export function orderOf(
  steps: readonly Pick<NamedTransition, 'key' | 'foot'>[],
  isInHistories: (resource: number) => boolean,
): string {
  /** The writes to each resource so far, in order. */
  const written = new Map<number, Digest>();
  let [hi, lo] = [0, 0];
  for (const { key, foot } of steps) {
    for (const resource of foot.reads) if (!isInHistories(resource)) add(after(written.get(resource), key));
    for (const resource of foot.writes) {
      if (isInHistories(resource)) continue;
      const digest = after(written.get(resource), key);
      written.set(resource, digest);
      add(digest);
    }
  }
  return hex({ hi, lo });

  // A sum, because reads between two writes may come in any order.
  function add(digest: Digest): void {
    hi = (hi + digest.hi) | 0;
    lo = (lo + digest.lo) | 0;
  }
}

const NOTHING: Digest = { hi: 0, lo: 0 };

/** A key has more than 32 bits. */
const after = ({ hi, lo }: Digest = NOTHING, key: number): Digest => ({
  hi: mixHi(mixHi(hi, key | 0), (key / 0x1_0000_0000) | 0),
  lo: mixLo(mixLo(lo, key | 0), (key / 0x1_0000_0000) | 0),
});

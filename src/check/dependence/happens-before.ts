import { hex, mixHi, mixLo, type Digest } from '../../trace/digest.ts';
import type { NamedTransition } from '../search/wakeup-tree.ts';

/**
 * Names the order in which steps touched what they share, as far as that is not told by what happened to each process: what
 * oracles see, whether somebody was there when a message was sent, or everything. Equal where only steps have traded places
 * that could.
 */
export function orderOf(
  steps: readonly Pick<NamedTransition, 'key' | 'foot'>[],
  isTold: (resource: number) => boolean,
): string {
  /** What was written to each resource so far, in order. */
  const written = new Map<number, Digest>();
  let [hi, lo] = [0, 0];
  for (const { key, foot } of steps) {
    for (const resource of foot.reads) if (!isTold(resource)) add(after(written.get(resource), key));
    for (const resource of foot.writes) {
      if (isTold(resource)) continue;
      const digest = after(written.get(resource), key);
      written.set(resource, digest);
      add(digest);
    }
  }
  return hex({ hi, lo });

  // Whatever was read between two writes may have been in any order.
  function add(digest: Digest): void {
    hi = (hi + digest.hi) | 0;
    lo = (lo + digest.lo) | 0;
  }
}

const NOTHING: Digest = { hi: 0, lo: 0 };

/** Keys are a bit longer than a word. */
const after = ({ hi, lo }: Digest = NOTHING, key: number): Digest => ({
  hi: mixHi(mixHi(hi, key | 0), (key / 0x1_0000_0000) | 0),
  lo: mixLo(mixLo(lo, key | 0), (key / 0x1_0000_0000) | 0),
});

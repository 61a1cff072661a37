import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { CulpritError } from '../../error.ts';

/** The heap is nearly full. V8 would end the process soon, without naming an event. */
export class MemoryFull extends CulpritError {
  readonly code = 'MEMORY_FULL';

  constructor(usedBytes: number, limitBytes: number, who: string) {
    super(
      `memory is nearly full (${inGb(usedBytes)} of ${inGb(limitBytes)} GB) ${who}.`,
      'Keep less data in states, messages and variables of modules, or let Node have more memory: ' +
        `NODE_OPTIONS=--max-old-space-size=${Math.round((2 * limitBytes) / 2 ** 20)}.`,
    );
  }
}

const inGb = (bytes: number): string => (bytes / 1e9).toFixed(1);

/** The part of the heap that may be in use. The rest is time: a loop that allocates fills a gigabyte in a second. */
const FULL = 0.75;

/** With so much of it in use, V8 has collected garbage already. */
const CERTAINLY_FULL = 0.9;

/** So much more of the heap has to be in use before garbage is collected for another look. */
const STEP = 0.05;

/** How much memory the process may have before its heap is looked at. */
export const lookedAtBytes = (): number => FULL * getHeapStatistics().heap_size_limit;

/** Of the heap, in bytes: what has to be in use for the next look. */
let nextBytes = 0;

/** The bytes that are in use and those that may be, if these are nearly all. Garbage does not count. */
export function fullHeap(): { readonly usedBytes: number; readonly limitBytes: number } | undefined {
  const { used_heap_size: before, heap_size_limit: limitBytes } = getHeapStatistics();
  if (before < Math.max(nextBytes, FULL * limitBytes)) return undefined;
  if (before < CERTAINLY_FULL * limitBytes) collectGarbage();
  const { used_heap_size: usedBytes } = getHeapStatistics();
  nextBytes = usedBytes + STEP * limitBytes;
  return usedBytes < FULL * limitBytes ? undefined : { usedBytes, limitBytes };
}

/** Node gives the function to contexts that are made after the flag is set. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc()');
}

import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { CulpritError } from '../../error.ts';

/** The heap is nearly full. V8 would end the process soon, without naming an event. */
export class MemoryFull extends CulpritError {
  readonly code = 'MEMORY_FULL';

  constructor(who: string) {
    super(
      `memory is nearly full (${inGb(usedBytes())} of ${inGb(limitBytes)} GB) ${who}.`,
      'Keep less data in states, messages and variables of modules, or let Node have more memory: ' +
        `NODE_OPTIONS=--max-old-space-size=${Math.round((2 * limitBytes) / 2 ** 20)}.`,
    );
  }
}

const inGb = (bytes: number): string => (bytes / 1e9).toFixed(1);

/** What V8 lets the heap have. Read once: V8 raises it for a debugger that waits for a full heap. */
const limitBytes = getHeapStatistics().heap_size_limit;

/** The part of the heap that may be in use. The rest is time: a loop that allocates fills a gigabyte in a second. */
const FULL = 0.75;

/** With so much memory in use, the heap may be full before anyone looks at it again: V8 is asked to say so. */
const SOON_FULL = 0.25;

/** With so much of it in use, V8 has collected garbage already. */
const CERTAINLY_FULL = 0.9;

/** So much more of the heap has to be in use before garbage is collected for another look. */
const STEP = 0.05;

/** The memory of the process, in bytes, from which on V8 is asked to say that the heap is full. */
export const soonFullBytes = SOON_FULL * limitBytes;

/** Of the heap, in bytes: what has to be in use for the next look. */
let nextBytes = 0;

/** Whether nearly all of the heap is in use. Garbage does not count. */
export function isHeapFull(): boolean {
  const before = usedBytes();
  if (before < Math.max(nextBytes, FULL * limitBytes)) return false;
  if (before < CERTAINLY_FULL * limitBytes) collectGarbage();
  const after = usedBytes();
  nextBytes = after + STEP * limitBytes;
  return after >= FULL * limitBytes;
}

const usedBytes = (): number => getHeapStatistics().used_heap_size;

/** Node gives the function to contexts that are made after the flag is set. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc()');
}

import { getHeapStatistics } from 'node:v8';
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

/** The memory of the process, in bytes, from which on V8 is asked to say when the heap is full: it may be before the next look at it. */
const soonFullBytes = 0.25 * limitBytes;

/** What may be in use of the heap. The rest is time: a loop that allocates fills a gigabyte in a second. */
const fullBytes = 0.75 * limitBytes;

/** So much more of the heap has to be in use before garbage is collected for another look. */
const stepBytes = 0.05 * limitBytes;

export const memoryMarks = { soonFullBytes, fullBytes, stepBytes };

const usedBytes = (): number => getHeapStatistics().used_heap_size;

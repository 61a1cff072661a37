import { CulpritError } from '../error.ts';

/** The heap of the process is full of what is still in use. */
export class HeapFull extends CulpritError {
  readonly code = 'HEAP_FULL';

  constructor(limit: number, who: string | undefined) {
    const megabytes = Math.round(limit / 2 ** 20).toLocaleString('en');
    super(
      `the memory is full, of ${megabytes} MB that it may have${who === undefined ? '' : `, while ${who} ran`}.`,
      'Keep states small; where they have to be large: NODE_OPTIONS=--max-old-space-size=8192, in MB.',
    );
  }
}

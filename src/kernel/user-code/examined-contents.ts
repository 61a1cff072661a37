import { lastContents } from '../data/copy.ts';
import { oncePer } from '../data/once-per.ts';
import type { Declaration } from '../declaration.ts';

const BITS = 16;

/** The examined values, as one bit for each hash of contents: at most 64,000 values of a system are examined as new. */
export class Familiar {
  private readonly kinds = new Uint8Array(1 << BITS);

  /** Stands for what was copied last, handed over at this place; data that is no tree has no kind, and is always new. */
  kindOf(place: number): number | undefined {
    const contents = lastContents();
    return contents === undefined ? undefined : Math.imul(contents ^ place, 0x9e3779b1) >>> (32 - BITS);
  }

  has(kind: number | undefined): boolean {
    return kind !== undefined && this.kinds[kind] !== 0;
  }

  add(kind: number | undefined): void {
    if (kind !== undefined) this.kinds[kind] = 1;
  }
}

/** The values that executions of a system have passed to the kernel so far, in this thread. */
export const familiarTo = oncePer((_system: Declaration) => new Familiar());

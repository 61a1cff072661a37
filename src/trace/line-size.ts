import { moreThan, traceLimits } from './limits.ts';

/** Counts what the lines of a file hold, and says where a line has too much of something. */
export class LineSizes {
  private values = 0;

  /** What is wrong with the next line, if anything is. */
  tooMuchIn(line: unknown): string | undefined {
    return this.inValue(line, 0);
  }

  private inValue(value: unknown, depth: number): string | undefined {
    this.values += 1;
    if (this.values > traceLimits.values) return `the file has ${moreThan('values')}`;
    if (typeof value === 'string') return value.length > traceLimits.text ? `it has ${moreThan('text')}` : undefined;
    // JSON has larger numbers than a computer: 1e999.
    if (typeof value === 'number') return Number.isFinite(value) ? undefined : 'it has a number that is out of range';
    if (typeof value !== 'object' || value === null) return undefined;
    if (depth >= traceLimits.nesting) return `it has ${moreThan('nesting')}`;
    for (const key of Object.keys(value)) {
      const found = this.inValue((value as Record<string, unknown>)[key], depth + 1);
      if (found !== undefined) return found;
    }
    return undefined;
  }
}

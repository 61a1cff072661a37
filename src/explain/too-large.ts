import { CulpritError } from '../error.ts';

/** An execution cannot be written in a format: the text would be too long. */
export class TooLarge extends CulpritError {
  readonly code = 'TOO_LARGE';

  constructor(format: string, why: string) {
    super(`the trace is too large for ${format}: ${why}.`, 'Minimize it first, or take another format.');
  }
}

/** Calls `write`. If its text is longer than JavaScript allows, throws `TooLarge`. */
export function written(format: string, write: () => string): string {
  try {
    return write();
  } catch (error) {
    if (error instanceof RangeError && error.message === 'Invalid string length')
      throw new TooLarge(format, 'the text would have more than 500 million characters');
    throw error;
  }
}

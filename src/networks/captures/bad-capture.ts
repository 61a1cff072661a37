import { CulpritError } from '../../error.ts';

/** A file of recorded packets that cannot be read. */
export class BadCapture extends CulpritError {
  readonly code = 'BAD_CAPTURE';
}

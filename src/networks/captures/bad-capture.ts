import { CulpritError } from '../../error.ts';

/** A file of another tool that cannot be read: recorded packets, or a trace. */
export class BadCapture extends CulpritError {
  readonly code = 'BAD_CAPTURE';
}

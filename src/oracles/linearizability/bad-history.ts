import { CulpritError } from '../../error.ts';

/** A history that cannot have been: see the message for the operation or the line. */
export class BadHistory extends CulpritError {
  readonly code = 'BAD_HISTORY';
}

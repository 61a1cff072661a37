import { CulpritError } from '../../error.ts';

/** A history that cannot have happened; the message names the operation or the line. */
export class BadHistory extends CulpritError {
  readonly code = 'BAD_HISTORY';
}

import { CulpritError } from '../../error.ts';
import { printable } from '../../text/printable.ts';

/** A history that cannot have happened; the message names the operation or the line. Names in it may come from a file. */
export class BadHistory extends CulpritError {
  readonly code = 'BAD_HISTORY';

  constructor(message: string, next: string, options?: ErrorOptions) {
    super(printable(message), next, options);
  }
}

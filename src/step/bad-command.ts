import { CulpritError } from '../error.ts';

/** A command that cannot be understood, or not be done here: nothing has happened. */
export class BadCommand extends CulpritError {
  readonly code = 'BAD_COMMAND';
}

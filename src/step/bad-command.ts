import { CulpritError } from '../error.ts';

/** A command that is unknown, or impossible now: nothing has happened. */
export class BadCommand extends CulpritError {
  readonly code = 'BAD_COMMAND';
}

import { CulpritError } from '../../../error.ts';

/** Options of tcp or of one of its codecs that cannot be used. */
export class BadTcpOptions extends CulpritError {
  readonly code = 'BAD_TCP_OPTIONS';

  constructor(problem: string, next = 'Correct the option; docs/guide/tcp.md lists them.') {
    super(problem, next);
  }
}

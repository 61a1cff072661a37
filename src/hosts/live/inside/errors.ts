import { CulpritError } from '../../../error.ts';
import type { ShimName } from './inside-options.ts';

/** Longer lines are cut in errors. */
const SHOWN = 200;

/** A program wrote something to its socket that is not of the protocol. */
export class BadSyncLine extends CulpritError {
  readonly code = 'BAD_SYNC_LINE';

  constructor(process: string, line: string) {
    super(
      `${process} wrote a line to its socket that the protocol does not have: ${JSON.stringify(line.slice(0, SHOWN))}`,
      'Correct the program: docs/guide/inside-a-controller.md lists the lines.',
    );
  }
}

/** There can be no socket at that path. */
export class NoSyncSocket extends CulpritError {
  readonly code = 'NO_SYNC_SOCKET';

  constructor(process: string, path: string, cause: unknown) {
    super(
      `${process} cannot have its socket at ${path}: ${(cause as Error).message}.`,
      'Paths of sockets have at most 107 bytes: set TMPDIR to a shorter one.',
      { cause },
    );
  }
}

const starts: Readonly<Record<ShimName, string>> = {
  python: 'python3 without -I, -E or -S',
  node: 'node',
};

/** A program runs without the shim that it should have. */
export class NoShim extends CulpritError {
  readonly code = 'NO_SHIM';

  constructor(process: string, shim: ShimName, ms: number) {
    super(
      `${process} has \`inside: { shim: '${shim}' }\`, but nothing in it connected to its socket within ${ms / 1000} s.`,
      `Start it with ${starts[shim]}, or leave out \`shim\`.`,
    );
  }
}

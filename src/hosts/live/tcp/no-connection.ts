import { CulpritError } from '../../../error.ts';

/** A message to a program that listens nowhere, and has not connected to its sender. */
export class NoConnection extends CulpritError {
  readonly code = 'NO_CONNECTION';

  constructor(from: string, to: string) {
    super(
      `${from} sends a message to ${to}, which has no port to connect to.`,
      `Give the command of ${to} a port, or send the message to a process that listens.`,
    );
  }
}

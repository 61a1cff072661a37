import type { ErrorMessage } from './messages.ts';
import type { ErrorCodes, ErrorType } from './names.ts';

/** Thrown while a message is read, and caught before a caller sees it: the message is not one of the standard. */
export class RefusedMessage extends Error {
  private constructor(
    readonly type: ErrorType,
    readonly code: ErrorCodes[ErrorType],
    reason: string,
  ) {
    super(reason);
  }

  static as<E extends ErrorType>(type: E, code: ErrorCodes[E], reason: string): RefusedMessage {
    return new RefusedMessage(type, code, reason);
  }
}

/** The start of a failed message that an error carries. */
const QUOTED = 64;

/** The error that answers a message with these bytes. */
export const errorAbout = (
  bytes: Buffer,
  xid: number,
  error: ErrorType,
  code: ErrorCodes[ErrorType],
): ErrorMessage => ({ type: 'error', xid, error, code, data: bytes.toString('hex', 0, QUOTED) });

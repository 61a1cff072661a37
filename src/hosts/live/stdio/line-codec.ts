/** A message with its receiver. */
export interface Addressed {
  /** The process that gets it. */
  readonly to: string;
  /** The message, as plain data. */
  readonly message: unknown;
  /** The lane of the link, if it has several. */
  readonly lane?: string;
}

/** How messages are written as lines. */
export interface LineCodec {
  /**
   * The message of a line that the process `self` printed; undefined for a line that is none, such as a log line. Throws `NoMessage` if
   * the line should be a message and is not; any other error is a mistake of the codec, and ends the command.
   */
  decode(line: string, self: string): Addressed | undefined;
  /** The line for a message to the process `self`, without its end. */
  encode(message: unknown, from: string, self: string): string;
  /** A line that tells the process that nothing is called like the receiver of its message; undefined: such a message is a violation. */
  unreachable?(message: Addressed, self: string): string | undefined;
}

/** A line that is no message, though only messages are expected. */
export class NoMessage extends Error {
  constructor(self: string, line: string, why: string) {
    super(`${self} printed a line that is no message: ${why}: ${JSON.stringify(line.slice(0, 200))}`);
    this.name = 'NoMessage';
  }
}

/** A line as JSON; throws `NoMessage` if it is none. */
export function jsonOf(line: string, self: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    throw new NoMessage(self, line, 'it is not JSON');
  }
}

/** A JSON object a line: `{"to": "n2", "message": …}` from a program, `{"from": "n1", "message": …}` to it. */
export const jsonLines = (): LineCodec => ({
  decode(line, self) {
    const value = jsonOf(line, self);
    if (typeof value !== 'object' || value === null || !('to' in value) || typeof value.to !== 'string')
      throw new NoMessage(self, line, 'it has no "to"');
    if (!('message' in value)) throw new NoMessage(self, line, 'it has no "message"');
    return { to: value.to, message: value.message };
  },
  encode: (message, from) => JSON.stringify({ from, message }),
});

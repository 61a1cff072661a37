import { ENVIRONMENT } from '../../../trace/event.ts';
import type { Connection, Connector, LiveProgram } from '../connector.ts';
import type { Child } from '../process/child.ts';
import { jsonLines, NoMessage, type Addressed, type LineCodec } from './line-codec.ts';

/**
 * Messages are lines on the standard input and output of a program. culprit holds every message between processes, and delivers,
 * reorders, loses or duplicates it.
 */
export const stdio = (codec: LineCodec = jsonLines()): Connector => ({
  announces: false,
  isDirect: true,
  join: (program) => new StdioConnection(program, codec),
});

class StdioConnection implements Connection {
  private child: Child | undefined;

  constructor(
    private readonly program: LiveProgram,
    private readonly codec: LineCodec,
  ) {}

  started(child: Child): void {
    this.child = child;
  }

  takeLine(line: string): boolean {
    const { io, place } = this.program;
    try {
      const message = this.codec.decode(line, place.name);
      if (message === undefined) return false;
      this.send(message);
    } catch (error) {
      // A mistake of the program, or of a codec of the user: either way, the message cannot be delivered.
      io.failed(error);
    }
    return true;
  }

  private send(message: Addressed): void {
    const { io, place } = this.program;
    const { to, lane } = message;
    if (io.declared.has(to) || to === ENVIRONMENT)
      return io.send(to, message.message, lane === undefined ? {} : { lane });
    const answer = this.codec.unreachable?.(message, place.name);
    if (answer === undefined)
      throw new NoMessage(place.name, JSON.stringify(message.message), `no process is called ${JSON.stringify(to)}`);
    io.observe('unreachable', { to });
    this.child?.write(`${answer}\n`);
  }

  deliver(message: unknown, from: string): void {
    this.child?.write(`${this.codec.encode(message, from, this.program.place.name)}\n`);
  }

  close(): void {
    this.child = undefined;
  }
}

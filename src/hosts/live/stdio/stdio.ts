import { isOf } from '../../../error.ts';
import { ENVIRONMENT } from '../../../trace/event.ts';
import { CodecFailed, codecFailure, type BlamedCodec } from '../codec-failed.ts';
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
  inStreams: true,
  join: (program) => new StdioConnection(program, codec),
});

const CONTRACT =
  'decode returns { to, message }, or undefined for a line that is no message, or throws NoMessage; encode returns a text.';

class StdioConnection implements Connection {
  private child: Child | undefined;

  constructor(
    private readonly program: LiveProgram,
    private readonly codec: LineCodec,
  ) {}

  started(child: Child): void {
    this.child = child;
  }

  private get blamed(): BlamedCodec {
    return { who: `the codec of ${this.program.place.name}`, contract: CONTRACT };
  }

  takeLine(line: string): boolean {
    const { io } = this.program;
    try {
      const message = this.decoded(line);
      if (message === undefined) return false;
      this.send(message);
    } catch (error) {
      // Only a line that is no message is a mistake of the program.
      io.failed(isOf(error, NoMessage) ? error : codecFailure(this.blamed, error));
    }
    return true;
  }

  private decoded(line: string): Addressed | undefined {
    const message: unknown = this.codec.decode(line, this.program.place.name);
    if (message === undefined || isAddressed(message)) return message;
    throw new CodecFailed(this.blamed, 'decode returned neither undefined nor { to, message }.');
  }

  private encoded(message: unknown, from: string): string {
    let line: unknown;
    try {
      line = this.codec.encode(message, from, this.program.place.name);
    } catch (error) {
      throw codecFailure(this.blamed, error);
    }
    if (typeof line === 'string') return line;
    throw new CodecFailed(this.blamed, 'encode did not return a text.');
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
    this.child?.write(`${this.encoded(message, from)}\n`);
  }

  close(): void {
    this.child = undefined;
  }
}

const isAddressed = (value: unknown): value is Addressed =>
  typeof value === 'object' && value !== null && 'to' in value && typeof value.to === 'string' && 'message' in value;

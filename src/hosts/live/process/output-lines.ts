import { StringDecoder } from 'node:string_decoder';

/** Longer lines are cut: a program may print without ever ending a line. */
const LINE_MAX = 1 << 20;

/** Lines of a stream of bytes, as they are completed. */
export class OutputLines {
  private readonly decoder = new StringDecoder('utf8');
  private rest = '';

  constructor(private readonly onLine: (line: string) => void) {}

  push(chunk: Buffer): void {
    const lines = (this.rest + this.decoder.write(chunk)).split('\n');
    this.rest = lines.pop() ?? '';
    for (const line of lines) this.onLine(line.endsWith('\r') ? line.slice(0, -1) : line);
    if (this.rest.length <= LINE_MAX) return;
    this.onLine(this.rest.slice(0, LINE_MAX));
    this.rest = '';
  }

  /** The stream is over: a last line without an end counts, too. */
  end(): void {
    const last = this.rest + this.decoder.end();
    this.rest = '';
    if (last !== '') this.onLine(last);
  }
}

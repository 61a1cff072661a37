import { LABEL_WIDTH } from '../../text/wrap.ts';
import { widthOf } from '../../text/width.ts';
import { shown } from './output.ts';
import type { Doing } from './progress-words.ts';

/** The interval between lines if the output is not a terminal. */
const PLAIN_EVERY_MS = 10_000;

/** A terminal shows `^C` behind the line. If that began another line, this one could not be erased. */
const LEFT_FREE = 3;

/** Shows progress: one changing line on a terminal, otherwise a plain line every now and then. */
export class Progress {
  private lastPlainMs = 0;
  private isShown = false;
  /** The process may end in the middle, by a second Ctrl-C: nothing is left behind then, either. */
  private readonly erase = (): void => void this.stream.write('\r\u001b[K');

  constructor(private readonly stream: NodeJS.WriteStream) {}

  show(doing: Doing, elapsedMs: number): void {
    if (this.stream.isTTY) {
      if (!this.isShown) process.once('exit', this.erase);
      this.isShown = true;
      this.stream.write(`\r\u001b[K${shown(terminalLine(doing, this.stream.columns - LEFT_FREE))}`);
    } else if (elapsedMs - this.lastPlainMs >= PLAIN_EVERY_MS) {
      this.lastPlainMs = elapsedMs;
      this.stream.write(`${shown(plainLine(doing))}\n`);
    }
  }

  /** Erases the line on a terminal. */
  end(): void {
    if (!this.isShown) return;
    this.isShown = false;
    process.removeListener('exit', this.erase);
    this.erase();
  }
}

/** All of it as one line of text. */
export const plainLine = ({ label, parts }: Doing): string => `${label.padEnd(LABEL_WIDTH)}${parts.join(', ')}`;

/** The width of a bar, if there is room for it and for the most important part. */
const BAR = 16;
const BAR_FROM = 50;

/** A bar, and as many parts as fit: the most important ones. */
export function terminalLine({ label, share, parts }: Doing, columns: number): string {
  const hasBar = share !== undefined && columns >= BAR_FROM;
  let line = `${label.padEnd(LABEL_WIDTH)}${hasBar ? `${bar(share)}  ` : ''}${parts[0] ?? ''}`;
  for (const part of parts.slice(1)) {
    if (widthOf(line) + 2 + widthOf(part) > columns) break;
    line += `, ${part}`;
  }
  return line;
}

function bar(share: number): string {
  const full = Math.round(Math.min(1, Math.max(0, share)) * BAR);
  return '█'.repeat(full) + '░'.repeat(BAR - full);
}

import { printable } from '../../text/printable.ts';
import { say } from '../output/output.ts';
import { style } from '../output/style.ts';

export const PROMPT = '> ';

/** Lines of which the first word says what they are about, or that go on with what is above them. */
export function show(lines: readonly string[], width = Number.POSITIVE_INFINITY): void {
  const fitting = lines.flatMap((line) => fitted(printable(line), width));
  say(fitting.map(painted));
}

/** Where the text begins behind the first word. */
const TEXT_AT = 10;

/** A text that is too long goes on below itself. */
function fitted(line: string, width: number): string[] {
  const end = line.lastIndexOf(' ', width);
  if (line.length <= width || end <= TEXT_AT) return [line];
  return [line.slice(0, end), ...fitted(`${' '.repeat(TEXT_AT)}${line.slice(end + 1)}`, width)];
}

function painted(line: string): string {
  const [label = ''] = /^\w+(?= |$)/.exec(line) ?? [];
  const paint = paints[label] ?? style.quiet;
  return label === '' ? line : paint(label) + line.slice(label.length);
}

const paints: Readonly<Record<string, (text: string) => string>> = {
  violated: style.bad,
  error: style.bad,
  unknown: style.doubtful,
  stuck: style.doubtful,
  holds: style.good,
  reached: style.good,
};

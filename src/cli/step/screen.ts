import { printable } from '../../text/printable.ts';
import { wrapLabeled } from '../../text/wrap.ts';
import { printOut } from '../output/output.ts';
import { style } from '../output/style.ts';

export const PROMPT = '> ';

/** Prints lines that begin with a label, or are indented below one. */
export function show(lines: readonly string[], width = Number.POSITIVE_INFINITY): void {
  printOut(wrapLabeled(lines.map(printable), width).map(painted));
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

import { violationLines, type Telling } from '../explain/violation.ts';
import type { Trace } from '../trace/format.ts';
import { style } from './style.ts';

/** Narrower terminals get lines that are too long. */
const WIDTH_MIN = 60;

/** The verdict, then what happened. */
export function printViolation(trace: Trace, telling: Telling = {}): void {
  const { isTTY, columns } = process.stdout;
  const width = isTTY && columns > 0 ? { width: Math.max(columns, WIDTH_MIN) } : {};
  const [first = '', ...rest] = violationLines(trace, { ...telling, ...width });
  process.stdout.write(`${first.replace('violated', style.bad)}\n${rest.join('\n')}\n`);
}

/** Lines of which the first word says what they are about. */
export function printLines(lines: readonly string[]): void {
  process.stdout.write(lines.map((line) => `${line.replace(/^(go(es)? on|\w+)/, style.quiet)}\n`).join(''));
}

import type { Paint } from '../../explain/story-report.ts';
import { violationLines, type Telling } from '../../explain/violation.ts';
import { printable } from '../../text/printable.ts';
import type { Trace } from '../../trace/format.ts';
import { fromHere } from '../../system/user-code.ts';
import { say } from './output.ts';
import { style } from './style.ts';

/** Narrower terminals get lines that are too long. */
const WIDTH_MIN = 60;

/** How wide the terminal is; undefined where it is none. */
export function terminalWidth(): number | undefined {
  const { isTTY, columns } = process.stdout;
  return isTTY && columns > 0 ? Math.max(columns, WIDTH_MIN) : undefined;
}

/** The verdict, then what happened. */
export function printViolation(trace: Trace, telling: Telling = {}): void {
  const width = terminalWidth();
  const [first = '', ...rest] = violationLines(placedHere(trace), {
    ...telling,
    ...(width === undefined ? {} : { width }),
  });
  say([first.replace('violated', style.bad), ...rest]);
}

/** The same trace with its places as an editor finds them from the current folder. */
export function placedHere<T extends Pick<Trace, 'verdict'>>(trace: T): T {
  const { verdict } = trace;
  if (verdict.verdict !== 'violated' || verdict.at === undefined) return trace;
  return { ...trace, verdict: { ...verdict, at: verdict.at.map(fromHere) } };
}

/** Lines of which the first word says what they are about. */
export function printLines(lines: readonly string[]): void {
  say(
    lines.map((line) => line.replace(/^(point of no return|delayed only|no (choice|effect|matter)|\w+)/, style.quiet)),
  );
}

/** Colors for what is explained: the same process always has the same one, as far as there are enough. */
export function paintFor(...traces: readonly Trace[]): Paint {
  // By the names that are shown.
  const names = [...new Set(traces.flatMap(({ events }) => events.map(({ process: name }) => printable(name))))].sort();
  const places = new Map(names.map((name, place) => [name, place]));
  return (text, role) => {
    if (typeof role === 'object') return style.nth(text, places.get(role.process) ?? -1);
    if (role === 'bad') return style.bad(text);
    if (role === 'is') return style.notable(text);
    return role === 'change' ? changed(text) : style.quiet(text);
  };
}

/** What there is now stands out. */
const changed = (text: string): string =>
  text
    .split(/(?<=→ )([^,;]+)/)
    .map((part, at) => (at % 2 === 1 || part === '' ? part : style.quiet(part)))
    .join('');

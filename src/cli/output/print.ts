import type { Paint } from '../../explain/story-report.ts';
import { verdictLines, type ViolationDetails } from '../../explain/verdict-lines.ts';
import { violationStory } from '../../explain/violation.ts';
import { printable } from '../../text/printable.ts';
import type { Trace } from '../../trace/format.ts';
import { fromHere } from '../../system/user-code.ts';
import { printLines } from './lines.ts';
import { printOut, terminalWidth } from './output.ts';
import { style } from './style.ts';

/** Prints the verdict, then the story. */
export function printViolation(trace: Trace, details: ViolationDetails = {}): void {
  printLines([...verdictLines(placedHere(trace), details), '']);
  printOut(violationStory(trace, { width: terminalWidth(), paint: paintFor(trace) }));
}

/** The same trace, with places relative to the current folder, as editors expect them. */
export function placedHere<T extends Pick<Trace, 'verdict'>>(trace: T): T {
  const { verdict } = trace;
  if (verdict.verdict !== 'violated' || verdict.at === undefined) return trace;
  return { ...trace, verdict: { ...verdict, at: verdict.at.map(fromHere) } };
}

/** Colors for stories: a process keeps its color, as far as there are enough colors. */
export function paintFor(...traces: readonly Trace[]): Paint {
  // By the names that are shown.
  const names = [...new Set(traces.flatMap(({ events }) => events.map(({ process: name }) => printable(name))))].sort();
  const places = new Map(names.map((name, place) => [name, place]));
  return (text, role) => {
    if (typeof role === 'object') return style.nth(text, places.get(role.process) ?? -1);
    if (role === 'bad') return style.bad(text);
    if (role === 'state') return style.notable(text);
    return role === 'change' ? changed(text) : style.quiet(text);
  };
}

/** Paints the values before a change in a quiet color, so that the new values stand out. */
const changed = (text: string): string =>
  text
    .split(/(?<=→ )([^,;]+)/)
    .map((part, at) => (at % 2 === 1 || part === '' ? part : style.quiet(part)))
    .join('');

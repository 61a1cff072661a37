import type { Trace } from '../trace/format.ts';
import { brief } from './brief.ts';
import { storyLines } from './table.ts';

/** What shows the violation, one value a line. */
const valueLines = (values: Readonly<Record<string, unknown>> = {}): string[] =>
  Object.entries(values).map(([name, value]) => `          ${name}: ${brief(value)}`);

/** What is violated, then what happened: the text that people see first. */
export function violationLines({ verdict, events }: Trace): string[] {
  if (verdict.verdict !== 'violated') return [];
  return [
    `violated  ${verdict.oracle}: ${verdict.message}`,
    ...valueLines(verdict.values),
    `          ${events.length} events`,
    '',
    ...storyLines(events),
  ];
}

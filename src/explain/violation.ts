import type { Trace } from '../trace/format.ts';
import { storyLines } from './table.ts';

/** What is violated, then what happened: the text that people see first. */
export function violationLines({ verdict, events }: Trace): string[] {
  if (verdict.verdict !== 'violated') return [];
  return [
    `violated  ${verdict.oracle}: ${verdict.message}`,
    `          ${events.length} events`,
    '',
    ...storyLines(events),
  ];
}

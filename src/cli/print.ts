import { storyLines } from '../explain/table.ts';
import type { Trace } from '../trace/format.ts';
import { style } from './style.ts';

/** The verdict, then what happened. */
export function printViolation({ verdict, events }: Trace): void {
  if (verdict.verdict !== 'violated') return;
  process.stdout.write(
    `${style.bad('violated')}  ${verdict.oracle}: ${verdict.message}\n          ${events.length} events\n\n`,
  );
  process.stdout.write(`${storyLines(events).join('\n')}\n`);
}

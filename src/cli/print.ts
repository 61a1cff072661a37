import { violationLines } from '../explain/violation.ts';
import type { Trace } from '../trace/format.ts';
import { style } from './style.ts';

/** The verdict, then what happened. */
export function printViolation(trace: Trace): void {
  const [first = '', ...rest] = violationLines(trace);
  process.stdout.write(`${first.replace('violated', style.bad)}\n${rest.join('\n')}\n`);
}

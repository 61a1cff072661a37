import { readFileSync } from 'node:fs';
import { readTrace, type Trace } from 'culprit/trace';
import type { Bug } from './bugs.ts';

/** The shortest execution known of a bug; see `best-known.ts`. */
export function bestTrace(bug: Exclude<Bug, 'none'>): Trace {
  const url = new URL(`best/${bug}.trace`, import.meta.url);
  return readTrace(readFileSync(url, 'utf8'), url.pathname);
}

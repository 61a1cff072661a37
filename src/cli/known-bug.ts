import { CulpritError } from '../error.ts';
import { loadTrace, tracesIfReadable } from '../files/trace-file.ts';
import type { Trace } from '../trace/format.ts';

/** Which trace of a folder has the same bug, by oracle and fingerprint, for a trace that is not in it yet. */
export function knownBugs(folder: string): (trace: Trace) => string | undefined {
  const paths = new Map<string, string>();
  // A minimized trace comes before what it was made from.
  for (const path of tracesIfReadable(folder)) {
    const name = bugIn(readable(path));
    if (name !== undefined && !paths.has(name)) paths.set(name, path);
  }
  return (trace) => paths.get(bugIn(trace) ?? '');
}

/** What a bug is called, whatever its execution: undefined where there is none. */
function bugIn(trace: Trace | undefined): string | undefined {
  if (trace?.verdict.verdict !== 'violated') return undefined;
  const { oracle, fingerprint } = trace.verdict;
  return JSON.stringify([trace.header.module, oracle, fingerprint]);
}

/** Undefined where it is damaged: a replay of it says so. */
function readable(path: string): Trace | undefined {
  try {
    return loadTrace(path);
  } catch (error) {
    if (error instanceof CulpritError) return undefined;
    throw error;
  }
}

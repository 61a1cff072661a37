import { basename, join } from 'node:path';
import { replaceFile } from '../files/access.ts';
import { FileProblem } from '../files/file-problem.ts';
import { encodedTrace } from '../files/trace-file.ts';
import { shownPath } from '../text/shown-path.ts';
import type { Trace } from '../trace/format.ts';

/**
 * Saves an execution that shows how the system behaves, for a reader whose hunt found nothing. It is no regression test, so it is in a
 * folder of its own, which git ignores, and the next hunt replaces it. Returns the path; undefined if it cannot be saved.
 */
export function saveExample(trace: Trace | undefined, out: string): string | undefined {
  if (trace === undefined) return undefined;
  const folder = join(out, 'examples');
  const path = join(folder, `${basename(trace.header.module ?? 'system').replace(/(\.system)?\.\w+$/, '')}.trace`);
  try {
    replaceFile(join(folder, '.gitignore'), Buffer.from('*\n'));
    replaceFile(path, encodedTrace(trace));
  } catch (error) {
    if (error instanceof FileProblem) return undefined;
    throw error;
  }
  return shownPath(path);
}

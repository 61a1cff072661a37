import { accessSync, constants, mkdirSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { foldersAbove } from './module-path.ts';
import { attempt, clearStale } from './temporary.ts';

/**
 * Where files lie that nobody misses: `node_modules/.cache/culprit` of the nearest package above a folder that has packages installed.
 * Undefined where there is none, or it takes no files.
 */
export function cacheFolder(from: string): string | undefined {
  const modules = modulesAbove(from)[0];
  if (modules === undefined) return undefined;
  const folder = join(modules, '.cache', 'culprit');
  const isWritable = attempt(() => {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
  });
  if (!isWritable) return undefined;
  clearStale(folder);
  // Source maps lead from where a file really is.
  return realpathSync(folder);
}

/** The folders that packages are found in from a folder, nearest first. */
export const modulesAbove = (folder: string): string[] =>
  [...foldersAbove(folder)]
    .map((at) => join(at, 'node_modules'))
    .filter((at) => statSync(at, { throwIfNoEntry: false })?.isDirectory() === true);

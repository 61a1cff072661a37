import { accessSync, constants, mkdirSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { foldersAbove } from './module-path.ts';
import { attempt, clearStale } from './temporary.ts';

/**
 * The folder for files that can be deleted at any time: `node_modules/.cache/culprit` of the nearest package above
 * `folder` that has packages installed. Undefined if no such package exists, or if the folder is not writable.
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
  // Source maps contain real paths.
  return realpathSync(folder);
}

/** The folders in which Node looks for packages from here, nearest first. */
export const modulesAbove = (folder: string): string[] =>
  [...foldersAbove(folder)]
    .map((at) => join(at, 'node_modules'))
    .filter((at) => statSync(at, { throwIfNoEntry: false })?.isDirectory() === true);

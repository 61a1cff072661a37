import { existsSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

/** The path of a file from the folder of its package, with `/` as separator on every platform. */
export const modulePath = (file: string): string => relative(packageFolder(file), file).split(sep).join('/');

/** The nearest folder with a package.json; without one, the folder of the file. */
export function packageFolder(file: string): string {
  const folder = dirname(file);
  return [...foldersAbove(folder)].find((at) => existsSync(join(at, 'package.json'))) ?? folder;
}

/** The folder and all its parents. */
export function* foldersAbove(folder: string): Generator<string> {
  for (let at = folder; ; at = dirname(at)) {
    yield at;
    if (dirname(at) === at) return;
  }
}

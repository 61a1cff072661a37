import { existsSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

/** A file from the folder of its package, with `/` between folders on every machine. */
export const modulePath = (file: string): string => relative(packageFolder(file), file).split(sep).join('/');

/** The nearest folder with a package.json; the file's own folder where there is none. */
export function packageFolder(file: string): string {
  const folder = dirname(file);
  return [...foldersAbove(folder)].find((at) => existsSync(join(at, 'package.json'))) ?? folder;
}

/** The folder, the one that holds it, and so on. */
export function* foldersAbove(folder: string): Generator<string> {
  for (let at = folder; ; at = dirname(at)) {
    yield at;
    if (dirname(at) === at) return;
  }
}

import { basename, dirname, join } from 'node:path';
import { nearest } from '../text/did-you-mean.ts';
import { namesIfReadable } from './access.ts';

/** `: did you mean lock.system.ts?` if a file in the same folder has a similar name, otherwise a full stop. */
export function didYouMeanFile(path: string): string {
  const folder = dirname(path);
  const name = basename(path);
  // A link that leads nowhere is in the folder, too.
  const near = nearest(
    name,
    namesIfReadable(folder).filter((other) => other !== name),
  );
  return near === undefined ? '.' : `: did you mean ${join(folder, near)}?`;
}

/** So many files are offered. */
const OFFERED = 5;

/** The files in a folder that a reader may have meant: `a.trace, b.trace and 3 more`. Undefined if there are none. */
export function filesToChoose(folder: string, kind: RegExp): string | undefined {
  const found = namesIfReadable(folder)
    .filter((name) => kind.test(name))
    .sort();
  const more = found.length - OFFERED;
  const offered = found.slice(0, OFFERED).map((name) => join(folder, name));
  return found.length === 0 ? undefined : `${offered.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

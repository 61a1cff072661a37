import { relative, resolve } from 'node:path';

/** As short as it can be and still lead there from here. */
export function shownPath(path: string): string {
  const fromHere = relative('', path);
  return fromHere.startsWith('..') ? resolve(path) : fromHere;
}

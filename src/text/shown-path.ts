import { relative, resolve } from 'node:path';

/** The path relative to the current folder, or absolute if it lies outside. */
export function shownPath(path: string): string {
  const fromHere = relative('', path);
  return fromHere.startsWith('..') ? resolve(path) : fromHere;
}

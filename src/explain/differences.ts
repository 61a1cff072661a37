import { isNothing, withoutMoved, type Change } from '../trace/change.ts';
import { brief } from './brief.ts';
import { printable } from '../text/printable.ts';
import { changeTexts, pathOf } from './story.ts';

/**
 * The changes of a state, one text for each place. Values added to the same list or object share a text (`votes + [n1,
 * n2]`), and so do values removed from it.
 */
export function differences(all: readonly Change[]): string[] {
  const changes = withoutMoved(all);
  const texts: string[] = [];
  for (let at = 0; at < changes.length;) {
    const first = changes[at] as Change;
    const sign = signOf(first);
    const together = sign === undefined ? 1 : runOf(changes, at, sign);
    texts.push(...(sign === undefined ? changeTexts(first) : [added(changes.slice(at, at + together), sign)]));
    at += together;
  }
  return texts;
}

type Sign = '+' | '−';

/** `+` if a value was added to a list or object, `−` if one was removed. */
function signOf([pointer, before, after]: Change): Sign | undefined {
  if (pointer === '' || isNothing(before) === isNothing(after)) return undefined;
  return isNothing(before) ? '+' : '−';
}

function runOf(changes: readonly Change[], from: number, sign: Sign): number {
  const parent = parentOf(changes[from] as Change);
  let end = from;
  while (end < changes.length && signOf(changes[end] as Change) === sign && parentOf(changes[end] as Change) === parent)
    end += 1;
  return end - from;
}

const parentOf = ([pointer]: Change): string => pointer.slice(0, pointer.lastIndexOf('/'));

function added(changes: readonly Change[], sign: Sign): string {
  const parts = changes.map(([pointer, before, after]): [string, unknown] => [
    pathOf(pointer.slice(pointer.lastIndexOf('/'))),
    sign === '+' ? after : before,
  ]);
  // Lists lose values from their end.
  if (sign === '−') parts.reverse();
  const isList = parts.every(([key]) => /^\d+$/.test(key));
  const values = isList ? parts.map(([, value]) => value) : Object.fromEntries(parts);
  const parent = pathOf(parentOf(changes[0] as Change));
  return printable(`${parent === '' ? '' : `${parent} `}${sign} ${brief(values)}`);
}

/** Strings, marks, and other values of JSON. */
const tokens = /"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s[\]{},:"]+/g;

/** What stands before an element. */
const beforeElements: ReadonlySet<string> = new Set(['[', ',']);
const depthBy: Readonly<Record<string, number>> = { '[': 1, '{': 1, ']': -1, '}': -1 };

/** The line of an element of a list in an object, in the text of that object, which is JSON; undefined if there is none. */
export function lineOfElement(text: string, list: string, index: number): number | undefined {
  let [depth, count] = [0, 0];
  let [key, before] = ['', ''];
  let isInList = false;
  for (const { 0: token, index: at } of text.matchAll(tokens)) {
    const isElement = isInList && depth === 2 && beforeElements.has(before) && token !== ']';
    if (isElement && count++ === index) return text.slice(0, at).split('\n').length;
    if (token === ':' && depth === 1) key = JSON.parse(before) as string;
    depth += depthBy[token] ?? 0;
    if (token === '[' && depth === 2) isInList = key === list;
    before = token;
  }
  return undefined;
}

import { BadSystem } from '../../system/check-definition.ts';

/** A part of a word: in single quotes, in double quotes, after a backslash, or plain. */
const PART = /'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)|([^\s'"\\]+)/gsy;

/** The words of a command line, as a shell would split them. Nothing is expanded, and no shell runs. */
export function wordsOf(line: string): string[] {
  const words: string[] = [];
  for (let at = 0; at < line.length;) {
    const gap = /\s*/y;
    gap.lastIndex = at;
    gap.test(line);
    const word = wordAt(line, gap.lastIndex);
    if (word !== undefined) words.push(word.text);
    at = word?.end ?? line.length;
  }
  return words;
}

/** The word that begins there; undefined at the end of the line. */
function wordAt(line: string, start: number): { readonly text: string; readonly end: number } | undefined {
  let text: string | undefined;
  let end = start;
  PART.lastIndex = start;
  for (let part = PART.exec(line); part !== null; part = PART.exec(line)) {
    const [, single, double, escaped, plain] = part;
    text = (text ?? '') + (single ?? double?.replaceAll(/\\(["\\])/g, '$1') ?? escaped ?? plain ?? '');
    end = PART.lastIndex;
  }
  if (end < line.length && !/\s/.test(line[end] as string))
    throw new BadSystem(
      `the command has a ${line[end]} that nothing closes: ${line}`,
      'Close it, or give a list of words.',
    );
  return text === undefined ? undefined : { text, end };
}

/** `$address`, `$port.n2` or `${dir}`: what, and of which process. */
const PLACEHOLDER = /\$(?:\{([a-z]+)(?:\.([^}]+))?\}|([a-z]+)(?:\.([\w-]+))?)/g;

/** Replaces the placeholders of a word. `valueOf` gives undefined for a name that it does not know: then the text stays. */
export const filledIn = (
  word: string,
  valueOf: (what: string, process: string | undefined) => string | undefined,
): string =>
  word.replaceAll(PLACEHOLDER, (text, braced?: string, ofBraced?: string, bare?: string, of?: string) => {
    const value = valueOf(braced ?? bare ?? '', ofBraced ?? of);
    return value ?? text;
  });

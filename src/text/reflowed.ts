import { widthOf } from './width.ts';
import { wrap } from './wrap.ts';

/**
 * Fits a text of paragraphs and lists into a width. Lines of a paragraph that follow one another are joined first, so that it may have
 * been broken elsewhere. A line that is indented stays a line of its own; lines that are indented below its second column belong to it.
 */
export function reflowed(text: string, width: number): string {
  return joined(text.split('\n'))
    .flatMap((line) => (widthOf(line) <= width ? [line] : broken(line, width)))
    .join('\n');
}

/** From so many spaces on, a line continues the second column of the line before it. */
const SECOND_COLUMN = 10;

function joined(lines: readonly string[]): string[] {
  const all: string[] = [];
  for (const line of lines) {
    const last = all.at(-1) ?? '';
    const indent = indentOf(line);
    const continues = last !== '' && line !== '' && (indent === 0 ? indentOf(last) === 0 : indent >= SECOND_COLUMN);
    if (continues && !last.endsWith(':')) all[all.length - 1] = `${last} ${line.trim()}`;
    else all.push(line);
  }
  return all;
}

const indentOf = (line: string): number => line.length - line.trimStart().length;

/** Further lines begin below the second column if there is one and it leaves enough room, otherwise a little to the right. */
function broken(line: string, width: number): string[] {
  const indent = indentOf(line);
  const [columns = ''] = /^ +\S+(?: \S+)* {2,}/.exec(line) ?? [];
  const isList = columns !== '' && columns.length <= width / 2;
  const lead = isList ? columns : ' '.repeat(indent);
  const hang = isList ? columns.length : indent === 0 ? 0 : indent + HANG;
  const text = line.slice(lead.length).replaceAll(/ {2,}/g, ' ');
  const [first = '', ...more] = wrap(text, width - hang);
  return [`${lead}${first}`, ...more.map((rest) => `${' '.repeat(hang)}${rest}`)];
}

const HANG = 4;

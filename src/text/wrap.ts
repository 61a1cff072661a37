/** Broken between the parts of a list, or else between words. A word that is longer than a line stays whole. */
export function broken(text: string, room: number): string[] {
  const parts = text.split(/(?<=,) /).flatMap((part) => (part.length <= room ? [part] : part.split(' ')));
  const lines: string[] = [];
  for (const part of parts) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + part.length <= room) lines[lines.length - 1] = `${last} ${part}`;
    else if (part !== '') lines.push(part);
  }
  return lines;
}

/** How far the text of a line is indented whose first word says what it is about. */
const HANG = 10;

/** Such lines, which go on below under their text. */
export const hanging = (lines: readonly string[], width = Number.POSITIVE_INFINITY): string[] =>
  lines.flatMap((line) => {
    if (line.length <= width) return [line];
    const [first = '', ...more] = broken(line.slice(HANG), width - HANG);
    return [`${line.slice(0, HANG)}${first}`, ...more.map((rest) => `${' '.repeat(HANG)}${rest}`)];
  });

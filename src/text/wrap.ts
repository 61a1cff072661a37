/** Breaks text between words. A word that is longer than a line stays whole. */
export const wrap = (text: string, width: number): string[] => filled(text.split(' '), width);

/** Breaks text after commas, which suits lists. Parts that are too long are broken between words. */
export const wrapList = (text: string, width: number): string[] =>
  filled(
    text.split(/(?<=,) /).flatMap((part) => (part.length <= width ? [part] : part.split(' '))),
    width,
  );

/** Fills each line with as many parts as it has room for. No line is empty. */
function filled(parts: readonly string[], width: number): string[] {
  const lines: string[] = [];
  for (const part of parts) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + part.length <= width) lines[lines.length - 1] = `${last} ${part}`;
    else if (part !== '') lines.push(part);
  }
  return lines;
}

/** Breaks lines of a list between words; what does not fit continues below the text, behind the number or mark of the line. */
export const wrapHanging = (lines: readonly string[], width = Number.POSITIVE_INFINITY): string[] =>
  lines.flatMap((line) => {
    if (line.length <= width) return [line];
    const [start = ''] = /^[\s\d|=<>+−]*/.exec(line) ?? [];
    const [first = '', ...more] = wrap(line.slice(start.length), width - start.length);
    return [start + first, ...more.map((rest) => ' '.repeat(start.length) + rest)].map((part) => part.trimEnd());
  });

/** The column at which text begins behind the label of a line, such as `violated`. */
export const LABEL_WIDTH = 10;

/** Breaks lines that begin with a label; further lines are indented below the text. */
export const wrapLabeled = (lines: readonly string[], width = Number.POSITIVE_INFINITY): string[] =>
  lines.flatMap((line) => {
    if (line.length <= width) return [line];
    const [first = '', ...more] = wrapList(line.slice(LABEL_WIDTH), width - LABEL_WIDTH);
    return [`${line.slice(0, LABEL_WIDTH)}${first}`, ...more.map((rest) => `${' '.repeat(LABEL_WIDTH)}${rest}`)];
  });

/** Lines with a label before the first: the text begins at column 10, as in all commands. */
export const labeled = (label: string, lines: readonly string[]): string[] =>
  lines.map((line, at) => `${(at === 0 ? label : '').padEnd(10)}${line}`.trimEnd());

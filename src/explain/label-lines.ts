/** A line, or several, of which the first begins with what it is about. */
export type Say = (label: string, text: string) => string[];

const INDENT = 10;

/** Says things in so many columns, broken between words. A word that is longer than a line stays whole. */
export const sayIn =
  (width: number): Say =>
  (label, text) => {
    const lines: string[] = [];
    for (const word of text.split(' ')) {
      const last = lines.at(-1);
      if (last !== undefined && last.length + 1 + word.length <= width - INDENT)
        lines[lines.length - 1] = `${last} ${word}`;
      else lines.push(word);
    }
    // A label that leaves no room beside it stands above its text.
    const isWide = label.length >= INDENT;
    const labeled = lines.map((line, at) => `${(at === 0 && !isWide ? label : '').padEnd(INDENT)}${line}`);
    return isWide ? [label, ...labeled] : labeled;
  };

/** `events 3, 5–8`, `event 11`. */
export const eventsOf = (numbers: readonly number[]): string =>
  `${numbers.length === 1 ? 'event' : 'events'} ${ranges(numbers)}`;

/** Ascending numbers, those in a row as one range. */
function ranges(numbers: readonly number[]): string {
  const found: [number, number][] = [];
  for (const number of numbers) {
    const last = found.at(-1);
    if (last !== undefined && last[1] === number - 1) last[1] = number;
    else found.push([number, number]);
  }
  return found.map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`)).join(', ');
}

import { LABEL_WIDTH, wrap } from '../text/wrap.ts';

/** Makes lines of a label and the text behind it. */
export type LabelLines = (label: string, text: string) => string[];

export const labelLinesIn =
  (width: number): LabelLines =>
  (label, text) => {
    // A label that is too wide stands above its text.
    const isWide = label.length >= LABEL_WIDTH;
    const labeled = wrap(text, width - LABEL_WIDTH).map(
      (line, at) => `${(at === 0 && !isWide ? label : '').padEnd(LABEL_WIDTH)}${line}`,
    );
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

import { BadCommand } from './bad-command.ts';

/** The words of a line. Names with spaces are quoted. */
export const wordsOf = (text: string): string[] =>
  [...text.matchAll(/"([^"]*)"|[^\s"]+/g)].map(([word, quoted]) => quoted ?? word);

/** The first word, and the rest of the line. */
export function split(text: string): readonly [first: string, rest: string] {
  const [, quoted, plain, rest = ''] = /^\s*(?:"([^"]*)"|(\S*))\s*(.*?)\s*$/s.exec(text) ?? [];
  return [quoted ?? plain ?? '', rest];
}

/** A name in the notation of `wordsOf`. */
export const quoted = (name: string): string => (/\s/.test(name) ? `"${name}"` : name);

/** A whole number of at least 1; 1 by default. */
export function countIn(text: string, command: string): number {
  if (text === '') return 1;
  if (text === 'all') return Number.POSITIVE_INFINITY;
  if (/^\d+$/.test(text) && Number(text) > 0) return Number(text);
  throw new BadCommand(
    `${command} ${text}: ${JSON.stringify(text)} is not a number of events.`,
    `Give a number: ${command} 3, or ${command} all.`,
  );
}

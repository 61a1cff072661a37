import { printable } from './printable.ts';

/**
 * A path or another argument as one word of a command that people copy into a shell. Controls are written as escapes, which shells
 * undo between $' and ': as themselves they would not arrive.
 */
export function shellWord(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  if (process.platform === 'win32') return `"${word}"`;
  if (printable(word) === word) return `'${word.replaceAll("'", String.raw`'\''`)}'`;
  return `$'${word.replaceAll(/./gsu, (sign) => (printable(sign) === sign ? plainSign(sign) : bytesOf(sign)))}'`;
}

const plainSign = (sign: string): string => (/['\\]/.test(sign) ? `\\${sign}` : sign);

/** In octal: three digits at most, so that a digit that follows is not taken for one more. */
const bytesOf = (sign: string): string =>
  [...Buffer.from(sign)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');

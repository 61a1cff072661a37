import { printable } from './printable.ts';

/**
 * Quotes a path or another argument as one word for a shell. Control characters are written as escapes, which shells
 * decode inside $'…'.
 */
export function shellWord(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  if (process.platform === 'win32') return `"${word}"`;
  if (printable(word) === word) return `'${word.replaceAll("'", String.raw`'\''`)}'`;
  return `$'${word.replaceAll(/./gsu, (sign) => (printable(sign) === sign ? plainSign(sign) : bytesOf(sign)))}'`;
}

const plainSign = (sign: string): string => (/['\\]/.test(sign) ? `\\${sign}` : sign);

/** In octal, with three digits, so that a digit that follows is not taken for a part of the escape. */
const bytesOf = (sign: string): string =>
  [...Buffer.from(sign)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');

/** Controls, line and paragraph separators, marks that turn the writing round, and halves of surrogate pairs. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

const SHORT: Readonly<Record<string, string>> = { '\n': String.raw`\n`, '\r': String.raw`\r`, '\t': String.raw`\t` };

/**
 * Text from a file or a system as one line that may be shown: what would move a cursor, color a terminal, end the line or
 * turn the writing round is shown as an escape such as \x1b. Text that is printable stays as it is.
 */
export const printable = (text: string): string =>
  text.replaceAll(UNPRINTABLE, (sign) => {
    const code = sign.charCodeAt(0).toString(16);
    return SHORT[sign] ?? (code.length <= 2 ? `\\x${code.padStart(2, '0')}` : unicodeEscape(sign));
  });

/** The same of a text that may have several lines: they stay. */
export const printableLines = (text: string): string => text.split(/\r?\n/).map(printable).join('\n');

/** The same of JSON, which then still says the same: JSON itself writes most of these signs as escapes. */
export const printableJson = (json: string): string =>
  json.replaceAll(UNPRINTABLE, (sign) => (sign === '\n' ? sign : unicodeEscape(sign)));

const unicodeEscape = (sign: string): string => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;

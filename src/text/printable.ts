/**
 * Control characters, line and paragraph separators, marks that change the direction of text, and halves of surrogate
 * pairs.
 */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

const SHORT: Readonly<Record<string, string>> = { '\n': String.raw`\n`, '\r': String.raw`\r`, '\t': String.raw`\t` };

/**
 * Makes text from a file or a system safe to print on one line: characters that would move the cursor, color the
 * terminal, end the line or change the direction of text become escapes such as \x1b. Printable text stays as it is.
 */
export const printable = (text: string): string =>
  text.replaceAll(UNPRINTABLE, (sign) => {
    const code = sign.charCodeAt(0).toString(16);
    return SHORT[sign] ?? (code.length <= 2 ? `\\x${code.padStart(2, '0')}` : unicodeEscape(sign));
  });

/** The same for text with several lines; line breaks stay. */
export const printableLines = (text: string): string => text.split(/\r?\n/).map(printable).join('\n');

/**
 * The same for JSON text, which still parses to the same data. JSON itself already escapes most of these characters.
 */
export const printableJson = (json: string): string =>
  json.replaceAll(UNPRINTABLE, (sign) => (sign === '\n' ? sign : unicodeEscape(sign)));

const unicodeEscape = (sign: string): string => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * Text from a file as it may be shown: what would move a terminal's cursor, end the line or turn the writing round is written
 * out, as files may come from anybody.
 */
export const printable = (text: string): string =>
  text.replaceAll(/[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu, (sign) =>
    /\s/.test(sign) ? ' ' : `\\u${(sign.codePointAt(0) as number).toString(16).padStart(4, '0')}`,
  );

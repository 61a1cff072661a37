import { randomUUID } from 'node:crypto';
import { env, stderr, stdout } from 'node:process';
import { isatty } from 'node:tty';
import { createColors } from 'picocolors';
import { printable } from '../../text/printable.ts';

/**
 * Stands for ESC in our own colors until they are written. It is random, so that no text from a file can pass for a
 * color.
 */
const MARK = `⟦${randomUUID()}⟧`;

/** Replaces the marks by the escape sequences of our colors. */
export const colored = (text: string): string => text.replaceAll(MARK, '\u001b');

/** Colors by meaning, for standard output. */
export const style = styleFor(stdout);

/** The same for standard error, which may be a terminal while standard output is a file. */
export const errorStyle = styleFor(stderr);

export interface Style {
  readonly bad: (text: string) => string;
  readonly doubtful: (text: string) => string;
  readonly good: (text: string) => string;
  readonly quiet: (text: string) => string;
  readonly notable: (text: string) => string;
  /** One color per process, repeated if there are more processes than colors. */
  readonly nth: (text: string, nth: number) => string;
}

function styleFor(stream: { readonly fd: number }): Style {
  const colors = createColors(wantsColors(stream));
  // Without red, which means that something is wrong.
  const palette = [colors.cyan, colors.magenta, colors.yellow, colors.blue, colors.green, colors.cyanBright].map(
    painted,
  );
  return {
    bad: painted((text) => colors.bold(colors.red(text))),
    doubtful: painted((text) => colors.bold(colors.yellow(text))),
    good: painted((text) => colors.bold(colors.green(text))),
    quiet: painted(colors.dim),
    notable: painted(colors.bold),
    nth: (text, nth) => (palette[nth % palette.length] as StylePaint)(text),
  };
}

type StylePaint = (text: string) => string;

/** Paints with marks. The text is made printable first, so that no character in it passes for a color. */
function painted(paint: StylePaint): StylePaint {
  return (text) => paint(printable(text)).replaceAll('\u001b', MARK);
}

/** Other than in most color libraries, `CI` does not enable colors: logs are searched and compared. */
function wantsColors(stream: { readonly fd: number }): boolean {
  if (env['NO_COLOR']) return false;
  if (env['FORCE_COLOR']) return env['FORCE_COLOR'] !== '0';
  return isatty(stream.fd) && env['TERM'] !== 'dumb';
}

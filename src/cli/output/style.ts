import { randomUUID } from 'node:crypto';
import { env, stderr, stdout } from 'node:process';
import { isatty } from 'node:tty';
import { createColors } from 'picocolors';
import { printable } from '../../text/printable.ts';

/** Stands for ESC in colors of ours until they are written: no file can know it, so no text of a file passes for a color. */
const MARK = `⟦${randomUUID()}⟧`;

/** A text as a terminal takes it: with our own colors. */
export const colored = (text: string): string => text.replaceAll(MARK, '\u001b');

/** Colors by meaning, for what is written to standard output. */
export const style = styleFor(stdout);

/** The same for standard error, which may be a terminal where the other is a file. */
export const errorStyle = styleFor(stderr);

interface Style {
  readonly bad: (text: string) => string;
  readonly doubtful: (text: string) => string;
  readonly good: (text: string) => string;
  readonly quiet: (text: string) => string;
  readonly notable: (text: string) => string;
  /** Tells one process from another; there are more processes than colors. */
  readonly nth: (text: string, nth: number) => string;
}

function styleFor(stream: { readonly fd: number }): Style {
  const colors = createColors(wantsColors(stream));
  // Not red, which says that something is wrong.
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

/** Paints with marks. What is painted is printable before: no sign of it passes for a color. */
function painted(paint: StylePaint): StylePaint {
  return (text) => paint(printable(text)).replaceAll('\u001b', MARK);
}

/** Not wherever `CI` is set, as color libraries have it: a log that is searched or compared is no terminal. */
function wantsColors(stream: { readonly fd: number }): boolean {
  if (env['NO_COLOR']) return false;
  if (env['FORCE_COLOR']) return env['FORCE_COLOR'] !== '0';
  return isatty(stream.fd) && env['TERM'] !== 'dumb';
}

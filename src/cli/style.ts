import { env, stderr, stdout } from 'node:process';
import { isatty } from 'node:tty';
import { createColors } from 'picocolors';

/** Colours by meaning, for what is written to standard output. */
export const style = styleFor(stdout);

/** The same for standard error, which may be a terminal where the other is a file. */
export const errorStyle = styleFor(stderr);

interface Style {
  readonly bad: (text: string) => string;
  readonly doubtful: (text: string) => string;
  readonly good: (text: string) => string;
  readonly quiet: (text: string) => string;
  readonly notable: (text: string) => string;
  /** Tells one process from another; there are more processes than colours. */
  readonly nth: (text: string, nth: number) => string;
}

function styleFor(stream: { readonly fd: number }): Style {
  const colors = createColors(wantsColours(stream));
  // Not red, which says that something is wrong.
  const palette = [colors.cyan, colors.magenta, colors.yellow, colors.blue, colors.green, colors.cyanBright];
  return {
    bad: (text) => colors.bold(colors.red(text)),
    doubtful: (text) => colors.bold(colors.yellow(text)),
    good: (text) => colors.bold(colors.green(text)),
    quiet: (text) => colors.dim(text),
    notable: (text) => colors.bold(text),
    nth: (text, nth) => (palette[nth % palette.length] as (name: string) => string)(text),
  };
}

/** Not wherever `CI` is set, as colour libraries have it: a log that is searched or compared is no terminal. */
function wantsColours(stream: { readonly fd: number }): boolean {
  if (env['NO_COLOR']) return false;
  if (env['FORCE_COLOR']) return env['FORCE_COLOR'] !== '0';
  return isatty(stream.fd) && env['TERM'] !== 'dumb';
}

import colors from 'picocolors';

/** Colours by meaning; plain text where the output is no terminal. */
export const style = {
  bad: (text: string): string => colors.bold(colors.red(text)),
  good: (text: string): string => colors.bold(colors.green(text)),
  quiet: (text: string): string => colors.dim(text),
};

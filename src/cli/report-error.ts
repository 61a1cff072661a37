import { CommanderError } from 'commander';
import { CulpritError } from '../error.ts';
import { style } from './style.ts';

/** Prints what is wrong and what to do about it; gives the exit code. */
export function reportError(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof CulpritError) {
    process.stderr.write(`${style.bad('error')}     ${error.message}\n${style.quiet('next')}      ${error.next}\n`);
    return 2;
  }
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`${style.bad('bug')}       culprit itself failed; please report this:\n${stack}\n`);
  return 2;
}

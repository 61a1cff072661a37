import { shellWord } from '../text/shell-word.ts';

/** The command as typed, but from another seed. */
export function resumeFromSeed(seed: number, typed: readonly string[]): string {
  return ['culprit', ...without(/^--seed(?==|$)/, typed).map(shellWord), '--seed', seed].join(' ');
}

/** The command as typed, to resume from its checkpoint. */
export const resumeCommand = (typed: readonly string[]): string =>
  ['culprit', ...typed.filter((word) => word !== '--fresh').map(shellWord)].join(' ');

/** The command as typed, but with another folder for results. */
export const withOtherFolder = (typed: readonly string[]): string =>
  ['culprit', ...without(/^(--out(?==|$)|-o)/, typed).map(shellWord), '--out <folder>'].join(' ');

/** The words without an option and its value, which may be a part of the word or the next one. */
const without = (option: RegExp, typed: readonly string[]): string[] =>
  typed.filter((word, at) => !option.test(word) && !isWholeOption(typed[at - 1] ?? '', option));

const isWholeOption = (word: string, option: RegExp): boolean => option.exec(word)?.[0] === word;

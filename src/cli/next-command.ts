import { shellWord } from '../text/shell-word.ts';

/** The command as typed, but from another seed. */
export function resumeFromSeed(seed: number, typed: readonly string[]): string {
  return ['culprit', ...without('--seed', typed).map(shellWord), '--seed', seed].join(' ');
}

/** The command as typed, to resume from its checkpoint. */
export const resumeCommand = (typed: readonly string[]): string =>
  ['culprit', ...typed.filter((word) => word !== '--fresh').map(shellWord)].join(' ');

/** The command as typed, but with another folder for results. */
export const withOtherFolder = (typed: readonly string[]): string =>
  ['culprit', ...without('--out', typed).map(shellWord), '--out <folder>'].join(' ');

const without = (option: string, typed: readonly string[]): string[] =>
  typed.filter((word, at) => !word.startsWith(`${option}=`) && word !== option && typed[at - 1] !== option);

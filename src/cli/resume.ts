import { shellWord } from '../text/shell-word.ts';

/** The command as it was typed, from another seed on: what was set stays set. */
export function goOnFrom(seed: number, typed: readonly string[]): string {
  return ['culprit', ...without('--seed', typed).map(shellWord), '--seed', seed].join(' ');
}

/** The command as it was typed, to go on with what it has left. */
export const goOnWith = (typed: readonly string[]): string =>
  ['culprit', ...typed.filter((word) => word !== '--fresh').map(shellWord)].join(' ');

/** The command as it was typed, with another folder to save in. */
export const goOnElsewhere = (typed: readonly string[]): string =>
  ['culprit', ...without('--out', typed).map(shellWord), '--out <folder>'].join(' ');

const without = (option: string, typed: readonly string[]): string[] =>
  typed.filter((word, at) => !word.startsWith(`${option}=`) && word !== option && typed[at - 1] !== option);

import { shellWord } from '../shell-word.ts';

/** The command as it was typed, from another seed on: what was set stays set. */
export function goOnFrom(seed: number, typed: readonly string[]): string {
  const kept = typed.filter(
    (word, at) => !word.startsWith('--seed=') && word !== '--seed' && typed[at - 1] !== '--seed',
  );
  return ['culprit', ...kept.map(shellWord), '--seed', seed].join(' ');
}

/** The command as it was typed, to go on with what it has left. */
export const goOnWith = (typed: readonly string[]): string =>
  ['culprit', ...typed.filter((word) => word !== '--anew').map(shellWord)].join(' ');

import { nearest } from '../text/did-you-mean.ts';
import { BadCommand } from './bad-command.ts';
import type { StepDescription } from './describe.ts';
import { matching } from './matching.ts';
import { split } from './words.ts';

/** Words that describe no event may be a command with a typing error. */
export function refuseTypingError(
  text: string,
  choices: readonly StepDescription[],
  commands: readonly string[],
): void {
  const [word] = split(text);
  const meant = nearest(word, commands);
  if (/^\d+$/.test(text) || meant === undefined || matching(text, choices).length > 0) return;
  throw new BadCommand(
    `there is no command ${word}: did you mean ${meant}?`,
    '`list` shows the events that can happen, `help` the commands.',
  );
}

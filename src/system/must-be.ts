import { shownAnswer } from '../kernel/user-code/answer.ts';
import { BadOption } from '../kernel/options/options.ts';

/** Throws unless the value is a system, before any code reads its fields. */
export function mustBeSystem(who: string, given: unknown): void {
  if (typeof given === 'object' && given !== null && 'culprit' in given && given.culprit === 'system') return;
  throw new BadOption(`${who} takes a system, not ${shownAnswer(given)}.`, insteadOf(given));
}

function insteadOf(given: unknown): string {
  if (typeof given === 'object' && given !== null && 'processes' in given)
    return 'Give defineSystem({ processes, … }).';
  if (typeof given === 'object' && given !== null && 'default' in given)
    return 'Pass the default export of the module: the result of defineSystem(…).';
  return 'Pass the result of defineSystem(…).';
}

/** Throws unless the value is a trace. */
export function mustBeTrace(who: string, given: unknown): void {
  if (typeof given === 'object' && given !== null && 'header' in given && 'events' in given && 'verdict' in given)
    return;
  throw new BadOption(
    `${who} takes a trace, not ${shownAnswer(given)}.`,
    'Pass the `trace` of a finding, or read a file with readTrace(text, path) of culprit/trace.',
  );
}

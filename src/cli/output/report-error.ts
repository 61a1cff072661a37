import { CommanderError } from 'commander';
import { replacedBuiltin } from '../../system/builtins.ts';
import { CulpritError, isOf, stackOf, usersStackOf } from '../../error.ts';
import { askedInVain } from '../../kernel/user-code/asking.ts';
import { codeWasEnded, runningNow } from '../../kernel/user-code/async-code.ts';
import { ThrownElsewhere } from '../../workers/thrown-elsewhere.ts';
import { NeverAgain } from '../../minimize/minimize.ts';
import { Stalled } from '../../execution/record.ts';
import { blamed, fromHere, placesOf } from '../../system/user-code.ts';
import { labeled, printErrorLines } from './lines.ts';

/** A rejected promise that no code handles. */
export class Unawaited extends CulpritError {
  readonly code = 'UNAWAITED';

  constructor(reason: unknown) {
    super(
      `an unawaited promise was rejected: ${usersStackOf(reason)}`,
      'Return or await every promise in a handler; otherwise culprit cannot tell to which event it belongs.',
    );
  }
}

/** An exception of code that belongs to no event, such as a real timer. */
export class Uncaught extends CulpritError {
  readonly code = 'UNCAUGHT';

  constructor(error: unknown) {
    super(
      `an exception outside of any event: ${usersStackOf(error)}`,
      'Use ctx.setTimer and ctx.sleep instead of real timers and I/O: their callbacks run outside of the execution.',
    );
  }
}

/** The process ended before the command was complete. */
export class Exited extends CulpritError {
  readonly code = 'EXITED';

  constructor(exitCode: number, who: string) {
    super(
      `${who} ended the process, with exit code ${exitCode}.`,
      'Remove calls of process.exit from the system and its imports.',
    );
  }
}

/** The user code that is running, and where it was called, as far as the stack shows. */
export const runningCode = (): string => runningCodeIfKnown() ?? 'the system';

/** The same; undefined if unknown. */
export function runningCodeIfKnown(): string | undefined {
  const running = runningNow();
  const who = running === undefined ? askedInVain() : `${running.process.name}, in event ${running.world.length},`;
  const [place] = placesOf(new Error('here'));
  return place === undefined ? who : `${who ?? 'the system'} at ${fromHere(place)}`;
}

/** The system closed standard output or standard error. */
export class OutputClosed extends CulpritError {
  readonly code = 'OUTPUT_CLOSED';

  constructor(why: string) {
    super(
      `standard output can no longer be written: ${why}.`,
      'Do not touch process.stdout in the system or its imports.',
    );
  }
}

/** The current folder was removed after the shell entered it. */
export class FolderGone extends CulpritError {
  readonly code = 'FOLDER_GONE';

  constructor() {
    super('the current folder no longer exists.', 'Change to a folder that exists, and run the command again.');
  }
}

/**
 * Whether there is no answer: a time limit ended an execution, which may only have waited for a CPU, or a violation did not happen
 * again in a system that is not repeatable.
 */
const isUnanswered = (error: CulpritError): boolean =>
  [error, error.cause].some((one) => one instanceof Stalled || one instanceof NeverAgain || isStalledElsewhere(one));

const isStalledElsewhere = (error: unknown): boolean => error instanceof ThrownElsewhere && error.code === 'STALLED';

/** Prints the problem and the next step; returns the exit code. */
export function reportError(given: unknown): number {
  // An error of our own may have come in the middle of an event: from now on, culprit prints, and not the system.
  codeWasEnded();
  // Replaced builtins are restored first, because printing may depend on them.
  const replaced = replacedBuiltin(isOf(given, CulpritError) && !isOf(given, Exited));
  if (isOf(given, CommanderError)) return given.exitCode === 0 ? 0 : 2;
  const error = replaced ?? blamed(given);
  if (isOf(error, CulpritError)) {
    printErrorLines([...labeled('error', error.message), ...labeled('next', error.next)]);
    return isUnanswered(error) ? 3 : 2;
  }
  printErrorLines(labeled('bug', `culprit itself failed; please report this:\n${stackOf(error)}`));
  return 2;
}

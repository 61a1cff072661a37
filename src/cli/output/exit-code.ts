let code = 0;
let isEnding = false;

/** The signals that ask a command to stop, and their exit codes: by convention, 128 plus the number of the signal. */
export const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const;
export type StopSignal = keyof typeof EXIT_CODES;

/**
 * Sets the exit code of the command. It is not kept in `process.exitCode`, because code of the system may set that for
 * its own purposes.
 */
export function exitWith(exitCode: number): void {
  code = exitCode;
}

export const chosenExitCode = (): number => code;

/** Marks the command as complete: if the process ends from now on, nothing is lost. */
export function markEnded(): void {
  isEnding = true;
}

/** Ends the process on purpose. */
export function endNow(exitCode: number): never {
  markEnded();
  process.exit(exitCode);
}

/** Whether culprit itself ends the process. */
export const isEnded = (): boolean => isEnding;

let code = 0;
let isEnding = false;

/** The signals that ask a command to stop, and what it exits with then: by convention, 128 and the number of the signal. */
export const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const;
export type StopSignal = keyof typeof EXIT_CODES;

/** What the command exits with. Not kept in `process.exitCode`: code of a system may set that too, and means something else by it. */
export function exitWith(exitCode: number): void {
  code = exitCode;
}

export const chosenExitCode = (): number => code;

/** The command has come to its end: whatever ends the process now loses nothing. */
export function hasEnded(): void {
  isEnding = true;
}

/** Ends the process: it is us who do. */
export function endNow(exitCode: number): never {
  hasEnded();
  process.exit(exitCode);
}

/** Whether it is us who end the process. */
export const isEnded = (): boolean => isEnding;

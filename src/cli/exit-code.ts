let code = 0;

/** What the command exits with. Not kept in `process.exitCode`: code of a system may set that too, and means something else by it. */
export function exitWith(exitCode: number): void {
  code = exitCode;
}

export const chosenExitCode = (): number => code;

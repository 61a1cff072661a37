import { Console } from 'node:console';
import { consoleMethods } from '../../kernel/user-code/event-console.ts';

/** Standard output belongs to the results of a command, so output of a module during loading goes to standard error. */
export function consoleToStandardError(): void {
  const errors = new Console(process.stderr);
  Object.assign(console, Object.fromEntries(consoleMethods.map((method) => [method, errors[method]])));
}

import { Console } from 'node:console';
import { consoleMethods } from '../../kernel/user-code/event-console.ts';

/** Standard output is for what a command says: what a module prints while it is loaded goes to standard error. */
export function consoleToStandardError(): void {
  const errors = new Console(process.stderr);
  Object.assign(console, Object.fromEntries(consoleMethods.map((method) => [method, errors[method]])));
}

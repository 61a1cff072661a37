import { Script } from 'node:vm';

/** A function did not return in time and was ended. What it was in the middle of is lost. */
export class TimedOut extends Error {
  override readonly name = 'TimedOut';
}

const KEY = Symbol.for('culprit.guarded');

// The only way in Node to end a loop that never yields, from its own thread, is a script with a time limit. Scripts
// see globals alone, so the function to call is left under a key for the moment of the call.
const script = new Script(`globalThis[Symbol.for('culprit.guarded')]()`);

/** Node's own, which scripts see. Ours may be others: Jest gives every test file globals of its own. */
export const globals = new Script('globalThis').runInThisContext() as Record<symbol, unknown>;

/** Calls a function that must return within the time. Starting the clock costs some 70 µs: guard many events at once. */
export function withinMs<T>(boundMs: number, call: () => T): T {
  const outer = globals[KEY];
  globals[KEY] = call;
  try {
    return script.runInThisContext({ timeout: boundMs, displayErrors: false }) as T;
  } catch (error) {
    throw isTimeout(error) ? new TimedOut(`no return within ${boundMs} ms`) : error;
  } finally {
    globals[KEY] = outer;
  }
}

/** Not asked whether it is an `Error`: it is one of the other context's. */
const isTimeout = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';

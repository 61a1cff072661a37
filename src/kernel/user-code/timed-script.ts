import { getBuiltinModule } from 'node:process';
import { Script } from 'node:vm';

/** Node's own, which scripts see. Ours may be others: Jest gives every test file globals of its own. */
export const globals = new Script('globalThis').runInThisContext() as Record<symbol, unknown>;

const KEY = Symbol.for('culprit.guarded');

/** Scripts see globals alone, so the function to call is left under a key for the moment of the call. */
const CALL = `globalThis[Symbol.for('${KEY.description}')]()`;

const script = new Script(CALL);

/**
 * Calls a function, which is ended in the middle if it takes longer. The clock may also strike when the function has just returned: only
 * the function itself knows whether it did.
 */
export function callWithin(boundMs: number, call: () => void): void {
  const outer = globals[KEY];
  globals[KEY] = call;
  try {
    // A session that guards a call within a call would take the end of the outer one for its own.
    const session = outer === undefined ? evaluator() : undefined;
    if (session === undefined) runScript(boundMs);
    else session.post('Runtime.evaluate', { expression: CALL, timeout: boundMs, silent: true });
  } finally {
    globals[KEY] = outer;
  }
}

/** Node starts a thread for the clock, which costs some 70 µs, and a hundred times as much on a busy machine. */
function runScript(boundMs: number): void {
  try {
    script.runInThisContext({ timeout: boundMs, displayErrors: false });
  } catch (error) {
    if (!isTimeout(error)) throw error;
  }
}

/** Not asked whether it is an `Error`: it is one of the other context's. */
const isTimeout = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';

/** A session of the inspector. */
interface Evaluator {
  connect(): void;
  post(method: 'Runtime.evaluate', parameters: { expression: string; timeout: number; silent: true }): void;
}

/** All copies of this module share a session, as Jest loads one for every test file. */
const SESSION = Symbol.for('culprit.evaluator');

/** Connecting a session takes as long as so many scripts: commands that execute little do without. */
const SCRIPTS = 32;
let scripts = 0;

/**
 * The inspector of this thread, which evaluates with a time limit as scripts do, on a clock that Node has in any case; undefined for the
 * first calls, and where Node is not allowed to inspect itself.
 */
function evaluator(): Evaluator | undefined {
  if (scripts < SCRIPTS) {
    scripts += 1;
    return undefined;
  }
  if (!(SESSION in globals)) globals[SESSION] = connected();
  return globals[SESSION] as Evaluator | undefined;
}

function connected(): Evaluator | undefined {
  try {
    const { Session } = getBuiltinModule('node:inspector');
    const session: Evaluator = new Session();
    session.connect();
    return session;
  } catch {
    return undefined;
  }
}

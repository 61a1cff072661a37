import { getBuiltinModule } from 'node:process';
import { noteEnded } from './async-code.ts';
import { leaveAsyncStack } from './async-stack.ts';

/*
 * Ends the code of this thread that a debugger has interrupted. The debugger of another thread calls this by `Runtime.evaluate`, and V8
 * evaluates within the interrupt: the interrupted code does not continue between the question whether it hangs and its end. Were the end
 * sent by the other thread, other code could run when it arrives.
 */

/** The session that ended code last. It stays connected until V8 has ended the code. */
let session: { disconnect(): void } | undefined;

/** Kept here: code of a system may change the globals. */
const OwnError = Error;

/** Ends the interrupted code as soon as the interrupt is over. */
export function endInterruptedCode(): void {
  noteEnded();
  leaveAsyncStack();
  const { Session } = getBuiltinModule('node:inspector');
  const own = new Session();
  own.connect();
  session = own;
  // Nothing may be called after this: V8 ends the next call or loop, and that is to be one of the interrupted code.
  own.post('Runtime.terminateExecution');
}

/** Code was ended: its session is not needed any more. */
export function afterEnd(): void {
  session?.disconnect();
  session = undefined;
}

/** The frames of a debugger's call: those of `interruptsCode`, its caller, and the expression. */
const DEBUGGER_FRAMES = 3;

/** Whether the debugger interrupts code, and not the wait of the event loop: then there are frames below those of the debugger. */
export function interruptsCode(): boolean {
  const { stackTraceLimit } = OwnError;
  const prepare: unknown = Reflect.get(OwnError, 'prepareStackTrace');
  OwnError.stackTraceLimit = DEBUGGER_FRAMES + 1;
  OwnError.prepareStackTrace = (_error, frames) => frames.length;
  const frames: unknown = new OwnError('to see the frames').stack;
  OwnError.stackTraceLimit = stackTraceLimit;
  Reflect.set(OwnError, 'prepareStackTrace', prepare);
  return typeof frames !== 'number' || frames > DEBUGGER_FRAMES;
}

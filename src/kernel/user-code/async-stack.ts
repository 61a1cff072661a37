import process, {
  hasUncaughtExceptionCaptureCallback,
  nextTick,
  setUncaughtExceptionCaptureCallback,
} from 'node:process';
import { globals } from './time-limit.ts';

/*
 * Code that is ended in the middle of a promise or a tick stays on Node's stack of async contexts. Where async hooks are on, as they
 * are in Jest and under an AsyncLocalStorage, Node aborts as soon as it sees that.
 */

/** The stack of async contexts in Node, which has no public function that empties it. */
interface AsyncWrap {
  readonly clearAsyncIdStack?: () => void;
}

const KEY = Symbol.for('culprit.emptyAsyncStack');

/** An expression that empties the stack, for a debugger that is about to end the code that runs. */
export const emptyAsyncStackNow = `globalThis[Symbol.for('culprit.emptyAsyncStack')]?.()`;

globals[KEY] = (): void => {
  const node = process as typeof process & { binding?: (name: string) => AsyncWrap };
  const { noDeprecation } = node;
  // Node warns about its use. The warning is hidden: users could do nothing about it.
  node.noDeprecation = true;
  try {
    node.binding?.('async_wrap').clearAsyncIdStack?.();
  } finally {
    if (noDeprecation === undefined) Reflect.deleteProperty(node, 'noDeprecation');
    else node.noDeprecation = noDeprecation;
  }
};

/** Empties it after the fact, by public functions alone: an uncaught exception does, so one is thrown, and caught. */
export function emptyAsyncStack(): void {
  if (hasUncaughtExceptionCaptureCallback()) return;
  setUncaughtExceptionCaptureCallback(() => setUncaughtExceptionCaptureCallback(null));
  nextTick(() => {
    throw new Error('caught at once');
  });
}

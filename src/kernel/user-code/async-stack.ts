import { hasUncaughtExceptionCaptureCallback, nextTick, setUncaughtExceptionCaptureCallback } from 'node:process';
import { globals } from './timed-script.ts';

/*
 * Code that is ended in the middle of a promise or a tick stays on Node's stack of async contexts. Where async hooks are on, as they
 * are in Jest and under an AsyncLocalStorage, Node checks that stack after every callback, and aborts if something is left on it.
 */

/** Node's own counters of async hooks, and its stack of async contexts. Node has no public function for either. */
interface AsyncWrap {
  readonly clearAsyncIdStack?: () => void;
  readonly async_hook_fields?: Uint32Array;
  readonly constants?: Readonly<Record<string, number>>;
}

/** Empties the stack before the code that runs is ended, and makes Node check it no more. */
export function leaveAsyncStack(): void {
  const node = asyncWrap();
  node?.clearAsyncIdStack?.();
  setChecks(node, false);
}

/** Empties the stack after code was ended. From then on, Node checks it as before. */
export function emptyAsyncStack(): void {
  const node = asyncWrap();
  if (node?.clearAsyncIdStack === undefined) {
    emptyByException();
    return;
  }
  node.clearAsyncIdStack();
  setChecks(node, true);
}

/** The counters of which Node keeps the sum, which is the number of functions that hooks have. */
const COUNTED = ['kInit', 'kBefore', 'kAfter', 'kDestroy', 'kPromiseResolve'];

/** Node checks the stack if that sum is not 0, and in some places if another field is not 0. The hooks themselves stay on. */
function setChecks(node: AsyncWrap | undefined, isOn: boolean): void {
  const { async_hook_fields: fields, constants } = node ?? {};
  const [total, check] = [constants?.['kTotals'], constants?.['kCheck']];
  if (fields === undefined || constants === undefined || total === undefined || check === undefined) return;
  fields[total] = isOn ? COUNTED.reduce((sum, name) => sum + (fields[constants[name] ?? -1] ?? 0), 0) : 0;
  fields[check] = isOn ? 1 : 0;
}

/** Undefined in a Node that no longer has it. */
function asyncWrap(): AsyncWrap | undefined {
  // Node's own process: the one that Jest gives to a test file is a copy.
  const node = globals['process' as never] as NodeJS.Process & { binding?: (name: string) => AsyncWrap };
  const { noDeprecation } = node;
  // Node warns about its use. The warning is hidden: users could do nothing about it.
  node.noDeprecation = true;
  try {
    return node.binding?.('async_wrap');
  } catch {
    return undefined;
  } finally {
    if (noDeprecation === undefined) Reflect.deleteProperty(node, 'noDeprecation');
    else node.noDeprecation = noDeprecation;
  }
}

/** By public functions alone: an uncaught exception empties the stack, so one is thrown, and caught. */
function emptyByException(): void {
  if (hasUncaughtExceptionCaptureCallback()) return;
  setUncaughtExceptionCaptureCallback(() => setUncaughtExceptionCaptureCallback(null));
  nextTick(() => {
    throw new Error('caught at once');
  });
}

import { AsyncLocalStorage } from 'node:async_hooks';
import { syncBuiltinESMExports } from 'node:module';
import { callSite, type Site } from './call-site.ts';
import type { FakeAnswer } from './fake-answer.ts';
import type { Source } from './nondeterminism-source.ts';
import { sources } from './sources.ts';

/** Receives every call of a source by code of the system. */
export interface LeakWatch {
  /** Returns a fake answer; undefined for the real one. */
  called(source: Source, site: Site): FakeAnswer | undefined;
  /** Receives the result of the last call. */
  answered?(value: unknown): void;
}

/** The watch of the running code. Other code, such as a test runner in the same process, is not watched. */
const current = new AsyncLocalStorage<LeakWatch>();

let watches = 0;
let putBack: () => void = () => {};

/**
 * Runs code while sources are watched. The globals are replaced meanwhile, once for all simultaneous watches, and
 * restored in any case.
 */
export async function watching<T>(watch: LeakWatch, run: () => Promise<T>): Promise<T> {
  if (watches++ === 0) putBack = replaceAll();
  try {
    return await current.run(watch, run);
  } finally {
    if (--watches === 0) {
      putBack();
      // While it is enabled, Node follows every promise of this process.
      current.disable();
    }
  }
}

function replaceAll(): () => void {
  const undo = sources().map(replace);
  // Updates the functions of built-in modules that code imported by name.
  syncBuiltinESMExports();
  return () => {
    for (const restore of undo.toReversed()) restore();
    syncBuiltinESMExports();
  };
}

type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;

/** Replaces one function, and returns the function that restores it. */
function replace(source: Source): () => void {
  const original: unknown = Reflect.get(source.holder, source.key);
  if (typeof original !== 'function') return () => {};
  const standIn = watched(source, original as AnyFunction);
  const undo = [source, ...(source.also === undefined ? [] : [source.also])].map((place) => put(place, standIn));
  return () => {
    for (const restore of undo) restore();
  };
}

/** Sets the function, and returns the function that restores the old one, unless other code has set another one since. */
function put({ holder, key }: Pick<Source, 'holder' | 'key'>, value: AnyFunction): () => void {
  const before = Object.getOwnPropertyDescriptor(holder, key);
  const replaced = { configurable: true, writable: true, enumerable: before?.enumerable ?? false, value };
  if (!Reflect.defineProperty(holder, key, replaced)) return () => {};
  return () => {
    if (Reflect.get(holder, key) !== value) return;
    if (before === undefined) Reflect.deleteProperty(holder, key);
    else Object.defineProperty(holder, key, before);
  };
}

/** The same function, except for watched calls. */
function watched(source: Source, original: AnyFunction): AnyFunction {
  const called = (args: unknown[], trap: (...args: never) => unknown, real: (args: unknown[]) => unknown): unknown => {
    const watch = current.getStore();
    if (watch === undefined || source.leaks?.(args) === false) return real(args);
    // Finding the call site may itself read files and clocks.
    const site = current.exit(() => callSite(trap));
    if (site === undefined) return real(args);
    const draw = watch.called(source, site);
    const value = draw === undefined || source.answer === undefined ? real(args) : source.answer(draw, args, real);
    watch.answered?.(value);
    return value;
  };
  const traps = {
    apply: (target: AnyFunction, self: unknown, args: unknown[]): unknown =>
      called(args, traps.apply, (given) => Reflect.apply(target, self, given)),
    construct: (target: AnyFunction, args: unknown[], newTarget: AnyFunction): object =>
      called(args, traps.construct, (given) => Reflect.construct(target, given, newTarget) as object) as object,
  };
  return new Proxy(original, traps);
}

import { AsyncLocalStorage } from 'node:async_hooks';
import { syncBuiltinESMExports } from 'node:module';
import { callSite, type Site } from './call-site.ts';
import type { Draw } from './fake-answer.ts';
import type { Source } from './nondeterminism-source.ts';
import { sources } from './sources.ts';

/** Gets every call of a source that code of the system makes. */
export interface LeakWatch {
  /** Gives the answer to make up; undefined where the real one shall be given. */
  called(source: Source, site: Site): Draw | undefined;
  /** What the last call gave. */
  answered?(value: unknown): void;
}

/** Who watches the code that runs now. Others, such as a test runner in the same process, are not watched. */
const current = new AsyncLocalStorage<LeakWatch>();

let watches = 0;
let putBack: () => void = () => {};

/**
 * Executes something under watch. The globals are replaced while it lasts, once for all who watch at the same time, and
 * put back whatever happens.
 */
export async function watching<T>(watch: LeakWatch, run: () => Promise<T>): Promise<T> {
  if (watches++ === 0) putBack = replaceAll();
  try {
    return await current.run(watch, run);
  } finally {
    if (--watches === 0) {
      putBack();
      // Until then every promise of this process would be followed.
      current.disable();
    }
  }
}

function replaceAll(): () => void {
  const undo = sources().map(replace);
  // Code that imported functions of built-in modules by name gets the watched ones.
  syncBuiltinESMExports();
  return () => {
    for (const restore of undo.toReversed()) restore();
    syncBuiltinESMExports();
  };
}

type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;

/** Replaces one function; gives what puts it back. */
function replace(source: Source): () => void {
  const original: unknown = Reflect.get(source.holder, source.key);
  if (typeof original !== 'function') return () => {};
  const standIn = watched(source, original as AnyFunction);
  const undo = [source, ...(source.also === undefined ? [] : [source.also])].map((place) => put(place, standIn));
  return () => {
    for (const restore of undo) restore();
  };
}

/** Puts the function in its place; gives what puts the old one back, unless somebody else has put another there since. */
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

/** The same function to everybody, but for the calls that are watched. */
function watched(source: Source, original: AnyFunction): AnyFunction {
  const called = (args: unknown[], trap: (...args: never) => unknown, real: (args: unknown[]) => unknown): unknown => {
    const watch = current.getStore();
    if (watch === undefined || source.leaks?.(args) === false) return real(args);
    // Finding out where may itself read files and clocks.
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

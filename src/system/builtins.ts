import { CulpritError } from '../error.ts';

/*
 * The built-ins of JavaScript, as they were before any code of a system ran. culprit uses them everywhere, so a system
 * that replaces one can make culprit fail or miss a violation. The code in this file uses no built-in that may have
 * been replaced.
 */

const { getOwnPropertyDescriptor, defineProperty, ownKeys } = Reflect;
const { is } = Object;

/** One built-in function. */
interface Part {
  readonly holder: object;
  readonly key: PropertyKey;
  readonly name: string;
  readonly descriptor: PropertyDescriptor;
}

/** A built-in that was changed. */
interface Changed {
  readonly name: string;
  readonly isRemoved: boolean;
}

const holders: Readonly<Record<string, object>> = {
  Object,
  Array,
  Map,
  Set,
  WeakMap,
  WeakSet,
  String,
  Number,
  Reflect,
  JSON,
  Promise,
  Symbol,
  setTimeout,
  setInterval,
  setImmediate,
  clearTimeout,
  clearInterval,
};

const parts: readonly Part[] = Object.entries(holders).flatMap(([name, holder]) => [
  partOf(globalThis, name, ''),
  ...(/^[A-Z]/.test(name) ? within(holder, name) : []),
]);

function within(holder: object, name: string): Part[] {
  const prototype = 'prototype' in holder ? (holder.prototype as object) : {};
  return [
    ...ownKeys(holder).map((key) => partOf(holder, key, name)),
    ...ownKeys(prototype).map((key) => partOf(prototype, key, `${name}.prototype`)),
  ];
}

function partOf(holder: object, key: PropertyKey, owner: string): Part {
  const shown = typeof key === 'symbol' ? `[${key.description}]` : `${owner === '' ? '' : '.'}${String(key)}`;
  const descriptor = getOwnPropertyDescriptor(holder, key) as PropertyDescriptor;
  return { holder, key, name: `${owner}${shown}`, descriptor };
}

/**
 * The first built-in that was removed or replaced since this file was loaded. Restores all of them, because the report
 * needs them.
 */
function putBack(): Changed | undefined {
  let first: Changed | undefined;
  for (let at = 0; at < parts.length; at++) {
    const { holder, key, name, descriptor } = parts[at] as Part;
    const now = getOwnPropertyDescriptor(holder, key);
    if (now !== undefined && is(now.value, descriptor.value) && now.get === descriptor.get) continue;
    // Report a removed built-in before a replaced one.
    if (first === undefined || (!first.isRemoved && now === undefined)) first = { name, isRemoved: now === undefined };
    defineProperty(holder, key, descriptor);
  }
  return first;
}

/** Whether a built-in was removed. Restores nothing. */
function isAnythingRemoved(): boolean {
  for (let at = 0; at < parts.length; at++) {
    const { holder, key } = parts[at] as Part;
    if (getOwnPropertyDescriptor(holder, key) === undefined) return true;
  }
  return false;
}

/** The system replaced a built-in of JavaScript. */
class BuiltinChanged extends CulpritError {
  readonly code = 'BUILTIN_CHANGED';

  constructor({ name, isRemoved }: Changed, who: string) {
    super(
      `${who} ${isRemoved ? 'removed' : 'replaced'} ${name}, which culprit needs unchanged.`,
      'Do not change built-ins of JavaScript in the system or its imports.',
    );
  }
}

/**
 * Throws if code of the system has removed a built-in that culprit needs. Replaced ones pass: polyfills and
 * instrumentation replace some with equivalents.
 */
export function mustHaveBuiltins(who: string): void {
  if (!isAnythingRemoved()) return;
  const changed = putBack();
  if (changed !== undefined) throw new BuiltinChanged(changed, who);
}

/**
 * After a failure: the error that names the built-in that the system removed or replaced; undefined if all are intact.
 */
export function replacedBuiltin(isUnderstood: boolean): CulpritError | undefined {
  const changed = putBack();
  if (changed === undefined || (isUnderstood && !changed.isRemoved)) return undefined;
  return new BuiltinChanged(changed, 'the system');
}

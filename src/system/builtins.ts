import { CulpritError } from '../error.ts';

/*
 * What JavaScript provides, as it was before any code of a system ran. We use it everywhere, so a system that replaces a part of it
 * changes what we do: it could make us fail, or overlook something. Nothing in this file uses a part that may have been replaced.
 */

const { getOwnPropertyDescriptor, defineProperty, ownKeys } = Reflect;
const { is } = Object;

/** A part of what JavaScript provides. */
interface Part {
  readonly holder: object;
  readonly key: PropertyKey;
  readonly name: string;
  readonly descriptor: PropertyDescriptor;
}

/** A part that is not what it was. */
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

/** The first part that was removed, or otherwise replaced, since this file was loaded. All are put back: the report needs them. */
function putBack(): Changed | undefined {
  let first: Changed | undefined;
  for (let at = 0; at < parts.length; at++) {
    const { holder, key, name, descriptor } = parts[at] as Part;
    const now = getOwnPropertyDescriptor(holder, key);
    if (now !== undefined && is(now.value, descriptor.value) && now.get === descriptor.get) continue;
    // One that was removed is named before one that was replaced.
    if (first === undefined || (!first.isRemoved && now === undefined)) first = { name, isRemoved: now === undefined };
    defineProperty(holder, key, descriptor);
  }
  return first;
}

/** Whether a part was removed. Nothing is put back. */
function isAnythingRemoved(): boolean {
  for (let at = 0; at < parts.length; at++) {
    const { holder, key } = parts[at] as Part;
    if (getOwnPropertyDescriptor(holder, key) === undefined) return true;
  }
  return false;
}

/** The system replaced something that JavaScript provides. */
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
 * Throws where code of the system has removed something that we need. A replaced part is let pass, as polyfills and tools that
 * observe programs replace some, and theirs do the same.
 */
export function mustHaveBuiltins(who: string): void {
  if (!isAnythingRemoved()) return;
  const changed = putBack();
  if (changed !== undefined) throw new BuiltinChanged(changed, who);
}

/** For something that failed: the error that names what the system has removed or replaced; undefined where that explains nothing. */
export function replacedBuiltin(isUnderstood: boolean): CulpritError | undefined {
  const changed = putBack();
  if (changed === undefined || (isUnderstood && !changed.isRemoved)) return undefined;
  return new BuiltinChanged(changed, 'the system');
}

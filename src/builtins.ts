import { CulpritError } from './error.ts';

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
  /** Tools that observe programs replace some parts, and theirs do the same. */
  readonly mayBeReplaced: boolean;
}

/** A part that is not what it was. */
interface Changed {
  readonly name: string;
  readonly isRemoved: boolean;
  readonly mayBeReplaced: boolean;
}

const needed = { Object, Array, Map, Set, WeakMap, WeakSet, String, Number, Reflect, JSON };
const lenient = { Promise, Symbol, setTimeout, setInterval, setImmediate, clearTimeout, clearInterval };

const parts: readonly Part[] = [...partsOf(needed, false), ...partsOf(lenient, true)];

function partsOf(holders: Readonly<Record<string, object>>, mayBeReplaced: boolean): Part[] {
  return Object.entries(holders).flatMap(([name, holder]) => [
    partOf(globalThis, name, '', mayBeReplaced),
    ...(name in globalThis && /^[A-Z]/.test(name) ? within(holder, name, mayBeReplaced) : []),
  ]);
}

function within(holder: object, name: string, mayBeReplaced: boolean): Part[] {
  const prototype = 'prototype' in holder ? (holder.prototype as object) : {};
  return [
    ...ownKeys(holder).map((key) => partOf(holder, key, name, mayBeReplaced)),
    ...ownKeys(prototype).map((key) => partOf(prototype, key, `${name}.prototype`, mayBeReplaced)),
  ];
}

function partOf(holder: object, key: PropertyKey, owner: string, mayBeReplaced: boolean): Part {
  const shown = typeof key === 'symbol' ? `[${key.description}]` : `${owner === '' ? '' : '.'}${String(key)}`;
  const descriptor = getOwnPropertyDescriptor(holder, key) as PropertyDescriptor;
  return { holder, key, name: `${owner}${shown}`, descriptor, mayBeReplaced };
}

/** The first part that was removed, or otherwise replaced, since this file was loaded. All are put back: the report needs them. */
function putBack(): Changed | undefined {
  let first: Changed | undefined;
  for (let at = 0; at < parts.length; at++) {
    const { holder, key, name, descriptor, mayBeReplaced } = parts[at] as Part;
    const now = getOwnPropertyDescriptor(holder, key);
    if (now !== undefined && is(now.value, descriptor.value) && now.get === descriptor.get) continue;
    // One that we need is told before one that may be replaced.
    if (first === undefined || (first.mayBeReplaced && !mayBeReplaced))
      first = { name, isRemoved: now === undefined, mayBeReplaced };
    defineProperty(holder, key, descriptor);
  }
  return first;
}

/** Whether a part that we need was changed. Nothing is put back. */
function isChanged(): boolean {
  for (let at = 0; at < parts.length; at++) {
    const { holder, key, descriptor, mayBeReplaced } = parts[at] as Part;
    const now = getOwnPropertyDescriptor(holder, key);
    if (now === undefined || (!mayBeReplaced && (!is(now.value, descriptor.value) || now.get !== descriptor.get)))
      return true;
  }
  return false;
}

/** The system replaced something that JavaScript provides. */
class BuiltinChanged extends CulpritError {
  readonly code = 'BUILTIN_CHANGED';

  constructor({ name, isRemoved }: Changed, who: string) {
    super(
      `${who} ${isRemoved ? 'removed' : 'replaced'} ${name}, which culprit needs as it was.`,
      'Leave what JavaScript provides as it is, in the system and in what it imports.',
    );
  }
}

/** Throws where code of the system has removed or replaced something that we need: what we would say could be wrong. */
export function mustHaveBuiltins(who: string): void {
  if (!isChanged()) return;
  const changed = putBack();
  if (changed !== undefined) throw new BuiltinChanged(changed, who);
}

/**
 * For something that failed: the error that names what the system has removed or replaced, if it has. A replaced part that others replace
 * too is only named where the failure is not understood.
 */
export function replacedBuiltin(isUnderstood: boolean): CulpritError | undefined {
  const changed = putBack();
  if (changed === undefined || (isUnderstood && changed.mayBeReplaced && !changed.isRemoved)) return undefined;
  return new BuiltinChanged(changed, 'the system');
}

import { CulpritError } from '../error.ts';

/**
 * Plain data is what states, messages and disk values are made of: primitives but symbols, arrays, objects
 * without a class, Map and Set. It can be copied, compared and written to a file without asking its owner.
 */
export class NotPlainData extends CulpritError {
  readonly code = 'NOT_PLAIN_DATA';

  constructor(what: string, value: unknown) {
    const { path, found } = firstOdd(value, '') ?? { path: '', found: 'a value' };
    super(
      `${what}${path} is ${found}, which is not plain data.`,
      'States, messages and disk values are primitives, arrays, plain objects, Map and Set: keep the data, leave out the behaviour.',
    );
  }
}

/** Anything nested deeper is refused: data that goes around in a circle is not plain. */
export const DEPTH_MAX = 100;

// Kept at hand, as in `digest.ts`.
const { getPrototypeOf, prototype: plainPrototype } = Object;

export function isPlainObject(value: object): value is Record<string, unknown> {
  const prototype: unknown = getPrototypeOf(value);
  return prototype === plainPrototype || prototype === null;
}

/**
 * Plain data that was made in another context, as an object, Map or Set of ours; undefined for anything else. Jest gives
 * every test file globals of its own, but what `structuredClone` makes there belongs to Node's.
 */
export function adopted(value: object): object | undefined {
  switch (Object.prototype.toString.call(value)) {
    case '[object Map]':
      return new Map(value as ReadonlyMap<unknown, unknown>);
    case '[object Set]':
      return new Set(value as ReadonlySet<unknown>);
    default:
      return isPlainElsewhere(value) ? { ...value } : undefined;
  }
}

/** Nothing lies behind the prototype of a plain object, in any context. */
const isPlainElsewhere = (value: object): boolean => getPrototypeOf(getPrototypeOf(value) as object) === null;

/** Sets a field, also one that is called like the prototype: data may come from anywhere. */
export function setOwn(fields: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') fields[key] = value;
  else Object.defineProperty(fields, key, { value, enumerable: true, configurable: true, writable: true });
}

interface Odd {
  readonly path: string;
  readonly found: string;
}

/** Where the first thing that is not plain data stands. Slow: only an error asks. */
function firstOdd(value: unknown, path: string): Odd | undefined {
  if (typeof value === 'function') return { path, found: `the function ${value.name || '(anonymous)'}` };
  if (typeof value === 'symbol') return { path, found: String(value) };
  if (typeof value !== 'object' || value === null) return undefined;
  if (path.split('.').length > DEPTH_MAX)
    return { path: '', found: `more than ${DEPTH_MAX} deep, perhaps around in a circle` };
  for (const [key, inner] of innerValues(value) ?? []) {
    const odd = firstOdd(inner, path + key);
    if (odd) return odd;
  }
  return innerValues(value) ? undefined : { path, found: `an instance of ${value.constructor.name}` };
}

function innerValues(value: object): [key: string, inner: unknown][] | undefined {
  if (Array.isArray(value)) return value.map((inner, at) => [`.${at}`, inner]);
  if (value instanceof Map)
    return [...value].flatMap(([key, inner]) => [
      [`.key`, key],
      [`.${String(key)}`, inner],
    ]);
  if (value instanceof Set) return [...value].map((inner, at) => [`.${at}`, inner]);
  if (isPlainObject(value)) return Object.entries(value).map(([key, inner]) => [`.${key}`, inner]);
  const own = adopted(value);
  return own && innerValues(own);
}

/** Primitives that can be copied, compared and written to a file. */
type Primitive = string | number | bigint | boolean | null | undefined;

/**
 * The type, if all of its values are plain data: primitives, arrays, objects without functions, Maps and Sets. Any other value has
 * another type here, so that the compiler names the field that has one. Prototypes are no part of a type: an object of a class
 * without methods passes here, and is found when its process starts.
 */
type Plain<T> = unknown extends T
  ? T
  : T extends Primitive
    ? T
    : T extends symbol | ((...args: never) => unknown)
      ? 'not plain data'
      : T extends ReadonlyMap<infer K, infer V>
        ? ReadonlyMap<Plain<K>, Plain<V>>
        : T extends ReadonlySet<infer V>
          ? ReadonlySet<Plain<V>>
          : PlainFields<T>;

/** The same for the fields of an object, and for the items of a list. */
type PlainFields<T> = { [K in keyof T]: Plain<T[K]> };

/** Constrains a state to an object of plain data: `S extends PlainState<S>`. */
export type PlainState<S> = object & PlainFields<S>;
